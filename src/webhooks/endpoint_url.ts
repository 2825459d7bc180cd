// What a webhook's URL must be, at registration and again before each delivery: the
// settings of a deployment may have changed in between.
import { type AddressGuard, RefusedAddressError, hostOf, namesAddress } from './address_guard.ts'

/** A URL that webhooks can't go to, and why. */
export class EndpointUrlError extends Error {}

/** The parsed URL. Throws EndpointUrlError or RefusedAddressError; asks no name server. */
export function parseEndpointUrl(
  text: string,
  rules: { isProduction: boolean; guard: AddressGuard },
): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') {
    throw new EndpointUrlError('A webhook needs an http or https URL.')
  }
  if (text.length > 2048) {
    throw new EndpointUrlError('A webhook\'s URL has at most 2,048 characters.')
  }
  if (url.username || url.password) {
    throw new EndpointUrlError('A webhook\'s URL holds no user name and no password.')
  }
  if (rules.isProduction && url.protocol !== 'https:') {
    throw new EndpointUrlError('In production webhooks go to https URLs only.')
  }
  if (namesAddress(url) && !rules.guard.allows(hostOf(url))) {
    throw new RefusedAddressError(hostOf(url), hostOf(url))
  }
  return url
}

/** Refuses a URL whose name has a special address now. A name that can't be looked up passes. */
export async function requirePublicName(url: URL, guard: AddressGuard): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    guard.lookup(hostOf(url), { all: true }, (error) => {
      if (error instanceof RefusedAddressError) reject(error)
      else resolve()
    })
  })
}
