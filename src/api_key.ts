// API keys: their environments, their scopes, and how one is made and recognised.
import { isToken, makeToken, tokenDigest } from './secret_token.ts'

export const environments = ['test', 'live'] as const
export type KeyEnvironment = (typeof environments)[number]

/** Deployments take the keys of one environment only. */
export const environmentOf = {
  staging: 'test',
  production: 'live',
} as const satisfies Record<string, KeyEnvironment>

export const scopes = [
  'organizations:read',
  'organizations:write',
  'leads:read',
  'leads:write',
  'quotes:read',
  'quotes:write',
  'files:write',
  'fees:read',
  'products:read',
  'orders:read',
] as const
export type Scope = (typeof scopes)[number]

export type NewKey = { key: string; prefix: string; digest: Buffer }

const headOf = (environment: KeyEnvironment): string => `svc_${environment}_`

/** Makes a key of an environment; its prefix has 13 characters. */
export function makeKey(environment: KeyEnvironment): NewKey {
  const { token, prefix, digest } = makeToken(headOf(environment))
  return { key: token, prefix, digest }
}

/** Whether a text is a well-formed key of an environment. */
export const isKeyOf = (environment: KeyEnvironment, text: string): boolean =>
  isToken(headOf(environment), text)

/** SHA-256 of a key, 32 bytes: what the database knows it by. */
export const keyDigest = tokenDigest

/** What of a key may be shown and logged: its first 13 characters. */
export const keyPrefix = (key: string): string => key.slice(0, 13)
