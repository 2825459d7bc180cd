// Every answer carries an X-Request-Id: the caller's own when it is usable.
import { randomUUID } from 'node:crypto'
import type { NextFunction, Request, Response } from 'express'

const usable = /^[A-Za-z0-9._-]{1,128}$/

export function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.headers['x-request-id']
  const id = typeof given === 'string' && usable.test(given) ? given : randomUUID()
  response.locals['requestId'] = id
  response.setHeader('X-Request-Id', id)
  next()
}

export const requestIdOf = (response: Response): string =>
  String(response.locals['requestId'])
