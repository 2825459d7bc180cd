// What the peer uses of Fastify, which isn't installed before the benchmark runs.
declare module 'fastify' {
  export type FastifyRequest = {
    id: string
    method: string
    url: string
    headers: Record<string, string | string[] | undefined>
    params: unknown
    query: unknown
    body: unknown
    routeOptions: { config: unknown }
  }
  export type FastifyReply = {
    statusCode: number
    elapsedTime: number
    header(name: string, value: string): FastifyReply
    headers(values: Record<string, string>): FastifyReply
    code(status: number): FastifyReply
    send(body: unknown): FastifyReply
  }
  type Hook = (request: FastifyRequest, reply: FastifyReply, done: () => void) => void
  type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  type Fastify = {
    addHook(name: 'onRequest' | 'onResponse', hook: Hook): void
    get(path: string, options: object, handler: Handler): void
    post(path: string, options: object, handler: Handler): void
    setErrorHandler(handler: (error: unknown, request: FastifyRequest, reply: FastifyReply) => unknown): void
    listen(options: { port: number; host: string }): Promise<string>
  }
  type Options = {
    bodyLimit: number
    genReqId: (request: { headers: Record<string, string | string[] | undefined> }) => string
  }
  export default function fastify(options: Options): Fastify
}
