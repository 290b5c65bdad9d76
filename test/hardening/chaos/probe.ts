// Measures what `GET /api/printer` takes, in a process that does nothing else: a busy program would measure itself.
// Argument: address. Message: `count`, answered with the ms of all requests since the last one, sorted.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 50
const ANSWER_MS = 30_000

const [url = ''] = process.argv.slice(2)
const { printers } = await (await fetch(`${url}/api/printers`)).json() as { printers: { name: string }[] }
const agent = new Agent({ keepAlive: true })
let latencies: number[] = []

/** @returns ms until the whole answer was here; undefined when none came */
const ask = (name: string) => new Promise<number | undefined>(resolve => {
  const begin = performance.now()
  const request = get(`${url}/api/printer?printer=${name}`, { agent, timeout: ANSWER_MS }, reply => {
    const done = () => resolve(reply.statusCode === 200 ? performance.now() - begin : undefined)
    reply.resume().on('end', done).on('error', () => resolve(undefined))
  })
  request.on('timeout', () => request.destroy()).on('error', () => resolve(undefined))
})

async function measure (): Promise<never> {
  for (let at = 0; ; at++) {
    const ms = await ask(printers[at % printers.length]?.name ?? '')
    if (ms !== undefined) latencies.push(ms)
    await sleep(Math.max(1, EVERY_MS - (ms ?? 0)))
  }
}

process.on('message', () => {
  process.send?.(latencies.sort((a, b) => a - b))
  latencies = []
})
process.on('disconnect', () => process.exit())
void measure()
process.send?.({ ready: true })
