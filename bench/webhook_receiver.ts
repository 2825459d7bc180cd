// A partner's server in a process of its own, for the benchmark. Requests to /hang are
// accepted and never answered. Answers questions on stdin: count, arrivals, reset.
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import type { AddressInfo } from 'node:net'

let arrivals: { path: string; id: string; at: number }[] = []

const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    arrivals.push({
      path: request.url ?? '',
      id: String(request.headers['webhook-id'] ?? ''),
      at: performance.timeOrigin + performance.now(),
    })
    if (request.url !== '/hang') response.writeHead(204).end()
  })
})
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})

createInterface({ input: process.stdin }).on('line', (question) => {
  if (question === 'reset') arrivals = []
  if (question === 'cpu') {
    const used = process.cpuUsage()
    console.log(used.user + used.system)
    return
  }
  const answer = question === 'arrivals' ? arrivals : arrivals.length
  console.log(JSON.stringify(answer))
})
