// A server that speaks S3 on loopback and keeps objects in a folder.
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type S3rver = { run(): Promise<AddressInfo>; close(): Promise<void> }
type S3rverOptions = {
  address: string
  port: number
  silent: boolean
  directory: string
  configureBuckets: { name: string; configs: [] }[]
}

// The package brings no types, and these are all that is used of it.
const S3rverServer = createRequire(import.meta.url)('s3rver') as new (options: S3rverOptions) => S3rver

export const bucket = 'documents'

export type S3 = {
  /** As in DOCUMENT_STORE. */
  url: string
  /** Makes all that is stored some hours older. */
  age(hours: number): Promise<void>
  close(): Promise<void>
}

/** Starts it, and sets the credentials that it takes in the environment. */
export async function startS3(): Promise<S3> {
  const directory = await mkdtemp(join(tmpdir(), 's3-'))
  const server = new S3rverServer({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket, configs: [] }],
  })
  const { port } = await server.run()
  process.env['AWS_ACCESS_KEY_ID'] = 'S3RVER'
  process.env['AWS_SECRET_ACCESS_KEY'] = 'S3RVER'
  return {
    url: `s3://${bucket}?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    age: async (hours) => {
      const then = Date.now() / 1000 - hours * 3600
      for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
        if (entry.isFile()) await utimes(join(entry.parentPath, entry.name), then, then)
      }
    },
    close: async () => {
      await server.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
