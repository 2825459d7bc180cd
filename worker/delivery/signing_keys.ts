// The secrets of endpoints, unsealed once and kept ready to sign: unsealing one and
// making a key of it costs more than signing with it.
import { type KeyObject, createSecretKey } from 'node:crypto'
import { secretBytes, unsealSecret } from '../../src/webhooks/secret.ts'
import type { Claim } from '../outbox.ts'

export type SigningKeys = {
  /** The keys that sign a delivery now. Throws when a secret can't be unsealed. */
  of(claim: Claim): KeyObject[]
  /** Drops those of an endpoint. */
  forget(endpointId: string): void
}

type Kept = { sealed: Buffer; key: KeyObject }

export function createSigningKeys(sealingKey: Buffer): SigningKeys {
  const kept = new Map<string, Kept[]>()

  return {
    of: (claim) => {
      const known = kept.get(claim.endpoint_id) ?? []
      const current = [claim.secret, claim.previous_secret]
        .filter((sealed) => sealed !== null)
        .map(
          (sealed) =>
            known.find((each) => each.sealed.equals(sealed)) ?? {
              sealed,
              key: createSecretKey(secretBytes(unsealSecret(sealed, claim.endpoint_id, sealingKey))),
            },
        )
      kept.set(claim.endpoint_id, current)
      return current.map(({ key }) => key)
    },
    forget: (endpointId) => kept.delete(endpointId),
  }
}
