// Virtual printers that live on by themselves, in a process of their own, and keep which commands they were given.
// Arguments: how many, ms between reports, ms between two things that happen at one of them, seed.
import { startFleet, type ModelName, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { createRandom } from '../../core/printer/helpers/random.js'
import type { Arrived } from './judge.js'

const [count = '1', reportEveryMs = '1000', happensEveryMs = '1000', seed = '1'] = process.argv.slice(2)
const MODELS: readonly ModelName[] = ['P1S', 'X1C', 'A1_MINI', 'H2D']
const LOOK_MS = 200

const random = createRandom(Number(seed))
const fleet = await startFleet({ models: MODELS, count: Number(count), reportEveryMs: Number(reportEveryMs) })
const arrived: Arrived[] = []
/** The last request that was looked at, of each. */
const seen = new Map<VirtualPrinter, unknown>()
const jobs: string[] = []

function look (): void {
  for (const printer of fleet.printers) {
    const { name, requests, clock } = printer
    const begunAt = Date.now() - clock.now()
    const from = requests.lastIndexOf(seen.get(printer) as never) + 1
    for (const request of requests.slice(from)) {
      const mark = /chaos (\d+)/.exec(JSON.stringify(request.body))?.[1]
      if (mark !== undefined) arrived.push({ mark: Number(mark), printer: name, at: begunAt + request.at })
    }
    seen.set(printer, requests.at(-1))
  }
}

const HMS = [0x03000100, 0x03000200, 0x0C000300, 0x05000500].map((attr, at) => ({ attr, code: 0x00010001 + at }))
const faulty = new Set<VirtualPrinter>()

/** A job begins or is cancelled, a fault comes or goes. */
function happen (): void {
  const at = random.int(fleet.printers.length)
  const printer = fleet.printers[at]
  if (printer === undefined) return
  if (at % 3 > 0) { // the others print, and take no G-code
    const isFaulty = !faulty.delete(printer)
    if (isFaulty) faulty.add(printer)
    printer.patch({ hms: isFaulty ? [random.pick(HMS)] : [] })
    return
  }
  try {
    const name = `chaos-job-${jobs.length + 1}`
    printer.startJob({ name, layers: 50, minutes: 30 })
    jobs.push(name)
  } catch { // one is under way
    printer.stopJob()
  }
}

const timer = setInterval(happen, Number(happensEveryMs))
setInterval(look, LOOK_MS)
process.on('message', (question: 'stop' | 'record') => {
  clearInterval(timer)
  for (const printer of fleet.printers) printer.stopJob()
  if (question === 'stop') return process.send?.('stopped')
  look()
  process.send?.({ arrived, jobs })
})
process.on('disconnect', () => process.exit(0))
process.send?.({
  printers: fleet.printers.map(({ name, serial, accessCode, fingerprint, ports }) =>
    ({ name, serial, accessCode, fingerprint, port: ports.mqtt }))
})
