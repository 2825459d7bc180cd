// Removes what uploads left in the object store when their rows didn't commit.
import type { Task } from 'graphile-worker'
import type { Config } from '../../src/config.ts'
import { openObjectStore } from '../../src/documents/object_store.ts'
import { sweepOrphans } from '../../src/documents/sweep.ts'
import type { Upkeep } from '../upkeep.ts'

export const documentsSweep =
  (upkeep: Pick<Upkeep, 'orphanedDocuments'>, config: Pick<Config, 'DOCUMENT_STORE'>): Task =>
  async (_payload, { logger }) => {
    const store = await openObjectStore(config.DOCUMENT_STORE)
    if (!store) return
    try {
      const removed = await sweepOrphans(store, upkeep.orphanedDocuments)
      if (removed.length > 0) logger.warn(`removed ${removed.length} objects without a document`)
    } finally {
      store.close()
    }
  }
