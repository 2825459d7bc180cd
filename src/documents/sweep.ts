// Removes objects that no document has: an upload put its bytes, and then its row didn't
// commit. Only what is old enough to belong to no upload that still runs.
import type { ObjectStore } from './object_store.ts'

/** An upload takes minutes at most; clocks of stores are off by less than the rest. */
const restMs = 60 * 60 * 1000

/** Of these keys, those of no document. */
export type FindOrphans = (keys: string[]) => Promise<string[]>

/** Sweeps the store once; tells which keys it removed. */
export async function sweepOrphans(
  store: ObjectStore,
  findOrphans: FindOrphans,
): Promise<string[]> {
  const removed: string[] = []
  const settledBefore = Date.now() - restMs
  for await (const page of store.list()) {
    const settled = page
      .filter(({ modifiedAt }) => modifiedAt.getTime() < settledBefore)
      .map(({ key }) => key)
    if (settled.length === 0) continue
    for (const key of await findOrphans(settled)) {
      await store.delete(key)
      removed.push(key)
    }
  }
  return removed
}

/** Removes all that a tenant has in the store, once its rows are gone. */
export async function removeObjectsOf(store: ObjectStore, tenantId: string): Promise<void> {
  for await (const page of store.list(`${tenantId}/`)) {
    for (const { key } of page) await store.delete(key)
  }
}
