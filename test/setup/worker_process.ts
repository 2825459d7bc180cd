// A worker in a process of its own, for tests that kill it.
import pino from 'pino'
import { readConfig } from '../../src/config.ts'
import { startWorker } from '../../worker/main.ts'

const options = JSON.parse(process.env['WORKER_OPTIONS'] ?? '{}')
const worker = await startWorker({
  ...options,
  config: readConfig({ WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }),
  log: pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }, pino.destination(2)),
})
process.on('SIGTERM', () => void stop())
console.log('ready')

// A timer that is left would keep the process for as long.
async function stop(): Promise<void> {
  await worker.stop()
  if (process.getActiveResourcesInfo().includes('Timeout')) process.exitCode = 3
}
