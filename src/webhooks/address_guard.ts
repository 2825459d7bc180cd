// Decides which addresses a webhook may go to, at registration and, inside the
// resolver of each connection, at delivery: a name that resolves to something harmless
// while it is checked and to something else later gets nowhere. It judges addresses,
// never names, and in doubt it refuses.
import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { type Resolve, createResolve } from './resolve.ts'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Range = [Address, number]

export type AddressGuard = {
  /** Whether a webhook may go to an address, in any spelling that parses as one. */
  allows(address: string): boolean
  /** For net.connect: gives a name's addresses, or RefusedAddressError if one is special. */
  lookup(
    hostname: string,
    options: { all?: boolean | undefined; family?: number | string | undefined },
    callback: LookupCallback,
  ): void
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void

export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS'

  constructor(hostname: string, address: string) {
    super(
      hostname === address
        ? `${address} is not a public address.`
        : `${hostname} resolves to ${address}, which is not a public address.`,
    )
  }
}

/** Only this part of IPv6 is handed out; everything else is special or nobody's. */
const globalUnicast: Range = [ipaddr.parse('2000::'), 3]
// Public by its number, but every Azure machine's own host answers there.
const azureHost = '168.63.129.16'
const nat64: Range = [ipaddr.parse('64:ff9b::'), 96]

export function createAddressGuard(
  allowedRanges: Range[],
  resolve: Resolve = createResolve(),
): AddressGuard {
  const allows = (text: string): boolean =>
    ipaddr.isValid(text) && isAllowed(ipaddr.process(text), allowedRanges)

  return {
    allows,
    lookup: (hostname, options, callback) => {
      resolve(hostname, (error, addresses) => {
        if (error) return callback(error, [])
        const refused = addresses.find(({ address }) => !allows(address))
        if (refused) return callback(new RefusedAddressError(hostname, refused.address), [])
        answer(hostname, addresses, options, callback)
      })
    },
  }
}

function answer(
  hostname: string,
  addresses: LookupAddress[],
  options: { all?: boolean | undefined; family?: number | string | undefined },
  callback: LookupCallback,
): void {
  const family = { IPv4: 4, IPv6: 6 }[String(options.family)] ?? Number(options.family ?? 0)
  const wanted = addresses.filter((address) => family === 0 || address.family === family)
  const [first] = wanted
  if (!first) {
    return callback(Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' }), [])
  }
  if (options.all) return callback(null, wanted)
  callback(null, first.address, first.family)
}

function isAllowed(address: Address, allowedRanges: Range[]): boolean {
  // A translator sends these on to the IPv4 address inside, so both are judged.
  if (address.kind() === 'ipv6' && matches(address, nat64)) {
    return isOpened(address, allowedRanges) && isAllowed(lastFourBytes(address), allowedRanges)
  }
  return isPublic(address) || isOpened(address, allowedRanges)
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || address.toString() === azureHost) return false
  return address.kind() === 'ipv4' || matches(address, globalUnicast)
}

const isOpened = (address: Address, allowedRanges: Range[]): boolean =>
  allowedRanges.some((range) => matches(address, range))

const matches = (address: Address, [network, bits]: Range): boolean =>
  address.kind() === network.kind() && address.match(network as ipaddr.IPv4 & ipaddr.IPv6, bits)

const lastFourBytes = (address: Address): ipaddr.IPv4 =>
  new ipaddr.IPv4(address.toByteArray().slice(-4))

/** The ranges of a comma-separated list. Throws on the first that isn't one. */
export function parseRanges(list: string): Range[] {
  return list
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '')
    .map((range) => ipaddr.parseCIDR(range))
}

export function areRanges(list: string): boolean {
  try {
    parseRanges(list)
    return true
  } catch {
    return false
  }
}

/** The host of a URL as a connection sees it: no brackets. */
export const hostOf = (url: URL): string => url.hostname.replaceAll(/^\[|\]$/g, '')

/** Whether a URL names an address instead of a host; every spelling is one form by then. */
export const namesAddress = (url: URL): boolean => isIP(hostOf(url)) !== 0
