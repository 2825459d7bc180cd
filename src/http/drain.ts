// A caller that is refused while it still sends wouldn't get to read why, if its
// connection were cut at once. So its body is read on and thrown away, but not for ever:
// whoever sends more than a large upload, or dawdles, is cut off.
import type { IncomingMessage, ServerResponse } from 'node:http'

const drainBytes = 32 * 1024 * 1024
const drainMs = 10_000

/** Once the answer is sent: throws away the rest of the request, within bounds. */
export function drainAfter(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => drain(request))
}

function drain(request: IncomingMessage): void {
  if (request.complete) return
  let rest = drainBytes
  const cut = (): void => {
    request.socket.destroy()
  }
  const timer = setTimeout(cut, drainMs)
  request.once('close', () => clearTimeout(timer))
  request.on('data', (chunk: Buffer) => {
    rest -= chunk.length
    if (rest < 0) cut()
  })
  request.resume()
}
