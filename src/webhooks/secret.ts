// Signing secrets. A partner sees one once, as `whsec_…`; the database holds it sealed
// with the deployment's key, and bound to its endpoint, so that a copied row is useless
// elsewhere.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import type { Credentials } from '../database/credentials.ts'

const cipher = 'aes-256-gcm'
const prefix = 'whsec_'
/** 32 bytes: as long as the hash that it keys. */
const secretLength = 32
const nonceLength = 12
const tagLength = 16

/** A new secret in the form that its holder gets. */
export const makeSecret = (): string => prefix + randomBytes(secretLength).toString('base64')

/** The bytes that sign. */
export const secretBytes = (secret: string): Buffer =>
  Buffer.from(secret.slice(prefix.length), 'base64')

/** The key that seals this deployment's secrets. */
export function sealingKey(config: Config, credentials: Credentials): Buffer {
  return Buffer.from(config.WEBHOOK_SECRET_KEY ?? credentials.webhookSecretKey, 'base64')
}

/** Nonce, tag and encrypted text of an endpoint's secret. */
export function sealSecret(secret: string, endpointId: string, key: Buffer): Buffer {
  const nonce = randomBytes(nonceLength)
  const sealer = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(endpointId))
  const sealed = Buffer.concat([sealer.update(secret, 'utf8'), sealer.final()])
  return Buffer.concat([nonce, sealer.getAuthTag(), sealed])
}

/** The secret again. Throws when the key or the endpoint is another. */
export function unsealSecret(sealed: Buffer, endpointId: string, key: Buffer): string {
  const nonce = sealed.subarray(0, nonceLength)
  const tag = sealed.subarray(nonceLength, nonceLength + tagLength)
  const opener = createDecipheriv(cipher, key, nonce, { authTagLength: tagLength })
    .setAAD(Buffer.from(endpointId))
    .setAuthTag(tag)
  const text = opener.update(sealed.subarray(nonceLength + tagLength))
  return Buffer.concat([text, opener.final()]).toString('utf8')
}
