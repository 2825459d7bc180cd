// A new release goes out: two API processes and two workers are replaced one by one while
// callers go on. Nobody may notice.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Balancer, startBalancer } from './balancer.ts'
import { type Load, startLoad } from './load.ts'
import { judge } from './play.ts'
import { type Stage, setStage } from './stage.ts'

const perSecond = 200

export type Rolling = {
  isGood: boolean
  requests: number
  failed: number
  restarts: number
  lost: number
  wrong: number
  remarks: string[]
}

export async function rollingRestart(requests: number, say: (text: string) => void): Promise<Rolling> {
  const stage = await setStage({ apis: 2, workers: 2 })
  const balancer = await startBalancer()
  try {
    for (const api of stage.apis) await balancer.add(api)
    const target = { url: () => balancer.url, key: stage.key }
    const load = startLoad(target, perSecond)
    let restarts = 0
    while (load.ledger.answers.length < requests) {
      restarts += await replaceAll(stage, balancer, load, requests)
    }
    await load.stop()
    const { requests: sent, '2xx': good, lost, wrong, remarks } = await judge(stage, target, 'rolling', load, 0)
    const rolling = {
      isGood: sent === good && lost + wrong === 0 && restarts >= 4,
      requests: sent,
      failed: sent - good,
      restarts,
      lost,
      wrong,
      remarks,
    }
    say(`${restarts} processes replaced under ${perSecond} requests a second: ${sent} requests, ` +
      `${rolling.failed} failed, ${lost} lost, ${wrong} wrong`)
    for (const remark of new Set(remarks)) say(`  ${remark}`)
    return rolling
  } finally {
    await balancer.close()
    await stage.close()
  }
}

/** The new process first, then the old one goes. Gives how many were replaced. */
async function replaceAll(stage: Stage, balancer: Balancer, load: Load, requests: number): Promise<number> {
  let replaced = 0
  for (const index of [0, 1]) {
    const [oldApi, oldWorker] = [stage.apis[index], stage.workers[index]]
    if (!oldApi || !oldWorker || load.ledger.answers.length >= requests) continue
    const api = await stage.startApi()
    await balancer.add(api)
    stage.apis[index] = api
    await oldApi.stop()
    balancer.remove(oldApi)
    await oldWorker.stop()
    stage.workers[index] = await stage.startWorker()
    replaced += 2
    await sleep(500)
  }
  return replaced
}
