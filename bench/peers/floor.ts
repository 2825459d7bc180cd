// Express answering constants: what the framework costs by itself, before any gate, log
// line or query. The constants are as long as the real answers.
import express, { type Express, type Request, type Response } from 'express'
import { announce } from './announce.ts'

type Constant = { method: 'GET' | 'POST'; path: string; status: number; bytes: number }

const app: Express = express()
app.disable('x-powered-by')
app.disable('etag')
for (const { method, path, status, bytes } of JSON.parse(process.env['CONSTANTS'] ?? '[]') as Constant[]) {
  const body = Buffer.from(JSON.stringify({ text: 'x'.repeat(Math.max(0, bytes - 11)) }))
  app[method === 'GET' ? 'get' : 'post'](path, (_request: Request, response: Response) => {
    response.statusCode = status
    response.setHeader('Content-Type', 'application/json; charset=utf-8')
    response.setHeader('Content-Length', body.length)
    response.end(body)
  })
}
announce(app.listen(0, '127.0.0.1'))
