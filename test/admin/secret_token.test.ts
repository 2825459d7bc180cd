import { describe, expect, it } from '@jest/globals'
import { isAnalystToken, makeAnalystToken } from '../../src/analyst_token.ts'
import { isKeyOf, makeKey } from '../../src/api_key.ts'
import { digestOf } from '../setup/database.ts'

describe('a token', () => {
  it('has its head, 32 random characters and 6 of checksum', () => {
    const { token, prefix, digest } = makeAnalystToken()
    expect(token).toMatch(/^svc_analyst_[0-9A-Za-z]{38}$/)
    expect(prefix).toBe(token.slice(0, 16))
    expect(digest).toEqual(digestOf(token))
    expect(isAnalystToken(token)).toBe(true)
  })

  it('is no token any more with any one character changed', () => {
    const { token } = makeAnalystToken()
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === 'x' ? 'y' : 'x'
      expect(isAnalystToken(token.slice(0, at) + other + token.slice(at + 1))).toBe(false)
    }
  })

  it('never comes twice', () => {
    const tokens = Array.from({ length: 200 }, () => makeAnalystToken().token)
    expect(new Set(tokens).size).toBe(200)
  })

  it('is of its own kind alone', () => {
    const { key, prefix } = makeKey('test')
    expect(prefix).toBe(key.slice(0, 13))
    expect([isKeyOf('test', key), isKeyOf('live', key), isAnalystToken(key)]).toEqual([
      true,
      false,
      false,
    ])
    expect(isKeyOf('test', makeAnalystToken().token)).toBe(false)
    expect([isKeyOf('test', ''), isKeyOf('test', `${key}\n`), isKeyOf('test', ` ${key}`)]).toEqual([
      false,
      false,
      false,
    ])
  })
})
