// What CLAMD_URL says: tcp://host:port, or unix:/path of a socket.

export type ClamdAddress = { path: string } | { host: string; port: number }

/** clamd's own port, where the URL names none. */
const defaultPort = 3310

/** Where clamd listens. Throws TypeError. */
export function parseClamdUrl(text: string): ClamdAddress {
  const { protocol, pathname, hostname, port } = new URL(text)
  if (protocol === 'unix:' && pathname.length > 1) return { path: decodeURIComponent(pathname) }
  if (protocol !== 'tcp:' || !hostname) throw new TypeError('not an address of clamd')
  return { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || defaultPort) }
}

export function isClamdUrl(text: string): boolean {
  try {
    parseClamdUrl(text)
    return true
  } catch {
    return false
  }
}
