// What DOCUMENT_STORE says: postgres, or s3://bucket?endpoint=…&region=…

export type ObjectStoreAddress = { bucket: string; endpoint?: string; region: string }

/** The place of the object store; null when PostgreSQL keeps the bytes. Throws TypeError. */
export function parseStoreUrl(text: string): ObjectStoreAddress | null {
  if (text === 'postgres') return null
  const url = new URL(text)
  const { bucket } = /^s3:\/\/(?<bucket>[a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/?(\?|$)/.exec(text)?.groups ?? {}
  const unknown = [...url.searchParams.keys()].some((name) => !['endpoint', 'region'].includes(name))
  if (!bucket || unknown) throw new TypeError('not a store')
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint && !/^https?:\/\/[^@]+$/.test(endpoint)) throw new TypeError('not an endpoint')
  return {
    bucket,
    // S3's own default; stores of other makers take any.
    region: url.searchParams.get('region') ?? 'us-east-1',
    ...(endpoint ? { endpoint } : {}),
  }
}

export function isStoreUrl(text: string): boolean {
  try {
    parseStoreUrl(text)
    return true
  } catch {
    return false
  }
}
