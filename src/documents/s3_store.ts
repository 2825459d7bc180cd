// Documents in any store that speaks S3. Credentials come from where AWS's tools look for
// them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, a profile, or the machine's role.
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  PutObjectCommand,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import type { ObjectStore } from './object_store.ts'
import type { ObjectStoreAddress } from './store_url.ts'

const connectMs = 3_000
const answerMs = 20_000
const tries = 2

export function createS3Store({
  bucket: Bucket,
  endpoint,
  region,
}: ObjectStoreAddress): ObjectStore {
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    maxAttempts: tries,
    // Checksums of S3's own kind only where they must be: other stores refuse them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, requestTimeout: answerMs },
  })

  return {
    put: async (Key, { bytes, contentType, sha256 }) => {
      await client.send(
        new PutObjectCommand({
          Bucket,
          Key,
          Body: bytes,
          ContentLength: bytes.length,
          ContentType: contentType,
          // Were the address of an object ever open, a browser would save it, not show it.
          ContentDisposition: 'attachment',
          Metadata: { sha256 },
        }),
      )
    },
    get: async (Key) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },
    delete: async (Key) => {
      await client.send(new DeleteObjectCommand({ Bucket, Key }))
    },
    list: async function* (Prefix = '') {
      for await (const { Contents } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
        yield (Contents ?? []).map(({ Key, LastModified }) => ({
          key: Key ?? '',
          modifiedAt: LastModified ?? new Date(),
        }))
      }
    },
    ping: async () => {
      await client.send(new HeadBucketCommand({ Bucket }))
    },
    close: () => client.destroy(),
  }
}
