// `node --import=tsx test/bench/live-hour.ts [minutes]`: the application for one printer, which prints and reports five
// times a second, with 17 Socket.IO clients that read and three that do not. One line a minute. Ends with 1 when the
// memory grew or the updates were late, old or missing. It needs the build. The charts take an hour to fill, so that
// the memory of two hours tells most.
import { readdirSync } from 'node:fs'
import { createVirtualPrinter } from '../../plugins/emulator/index.js'
import { FIRST_REPORT, listen, signalOf, stick } from './live-clients.js'
import { startDaemon, usageOf } from './processes.js'
import { median } from './row.js'

const PORT = 47_870
const HEALTHY = 17
const STUCK = 3
/** Four of ours a second and one that the printer makes itself. */
const DELTA_MS = 250
const FULL_EVERY = 120
const SAMPLE_MS = 10_000
const MINUTE_MS = 60_000
/** Time in which charts and caches fill; memory is compared from then on. */
const WARM_UP_SHARE = 1 / 2
/** How much more the last quarter of the rest may hold than its first. */
const GROWTH = { share: 1.1, atLeastMb: 12 }
const BAR_MS = 50

const minutes = Number(process.argv[2] ?? 60)
const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const part = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s' })
await printer.start()
printer.startJob({ name: 'hour', layers: 4_000, minutes: 2 * minutes + 60 })
const { host, serial, accessCode, ports, fingerprint } = printer
const app = await startDaemon({
  printers: [{ name: 'p1s', host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }]
}, PORT, 'app')

/** When each report was published, by its number. */
const sentAt: number[] = []
let delays: number[] = []
const all = new Float64Array(minutes * 60 * 1000 / DELTA_MS * HEALTHY * 1.2)
let measured = 0
let report = FIRST_REPORT

/** The next report: a few fields, now and then all. */
function publish (): void {
  const fields = {
    wifi_signal: signalOf(++report), nozzle_temper: 219 + report % 20 / 10, bed_temper: 59.5 + report % 10 / 10
  }
  sentAt[report] = performance.now()
  if (report % FULL_EVERY !== 0) return printer.patch(fields)
  const whole = { ...printer.report(), ...fields, command: 'push_status', msg: 0, sequence_id: String(report) }
  printer.publish(JSON.stringify({ print: whole }))
}

function seen (number: number): void {
  const delay = performance.now() - (sentAt[number] ?? NaN)
  delays.push(delay)
  all[measured++] = delay
}

const clients = Array.from({ length: HEALTHY }, () => listen(app.url, seen))
const stuck = Array.from({ length: STUCK }, () => stick(app.url))
await Promise.all([...clients, ...stuck].map(({ socket }) =>
  new Promise<void>(resolve => { socket.once('connect', resolve) })))
const reports = setInterval(publish, DELTA_MS)
await nap(2_000)

const descriptors = descriptorsOf(app.pid)
const memory: number[] = []
const stamp = (number: number, digits = 1) => number.toFixed(digits).padStart(7)

async function minuteLine (minute: number, updates: number): Promise<void> {
  const { residentMb, cpuMs } = usageOf(app.pid)
  const bytes = (await (await fetch(`${app.url}/api/get_all_data`)).arrayBuffer()).byteLength
  console.log(`${String(minute).padStart(3)} min ${stamp(residentMb)} MB  ${String(descriptorsOf(app.pid)).padStart(3)} descriptors  ` +
    `median ${stamp(median(delays))} p95 ${stamp(part(delays, 0.95))} max ${stamp(part(delays, 1))} ms  ` +
    `${stamp(updates / HEALTHY, 0)} updates a client of ${(bytes / 1024).toFixed(0)} kB  CPU ${(cpuMs / 1000).toFixed(0)} s`)
  delays = []
}

let counted = 0
const began = Date.now()
for (let at = 1; at <= minutes * MINUTE_MS / SAMPLE_MS; at++) {
  await nap(Math.max(0, began + at * SAMPLE_MS - Date.now()))
  memory.push(usageOf(app.pid).residentMb)
  if (at % (MINUTE_MS / SAMPLE_MS) !== 0) continue
  const updates = clients.reduce((sum, client) => sum + client.updates, 0)
  await minuteLine(at * SAMPLE_MS / MINUTE_MS, updates - counted)
  counted = updates
}

clearInterval(reports)
await nap(1_000)
const descriptorsAfter = descriptorsOf(app.pid)
const warm = memory.slice(Math.floor(memory.length * WARM_UP_SHARE))
const quarter = Math.ceil(warm.length / 4)
const [first, last] = [mean(warm.slice(0, quarter)), mean(warm.slice(-quarter))]
const sorted = all.subarray(0, measured).toSorted()
const at = (share: number) => sorted[Math.min(measured - 1, Math.floor(measured * share))] ?? NaN
const updates = clients.map(client => client.updates)
const published = report - FIRST_REPORT

const wrong = [
  last > Math.max(first * GROWTH.share, first + GROWTH.atLeastMb) && `memory grew from ${first.toFixed(1)} to ${last.toFixed(1)} MB`,
  !(at(0.5) <= BAR_MS) && `the median delay is ${at(0.5).toFixed(1)} ms`,
  measured < published * HEALTHY * 0.9 && `only ${measured} of ${published * HEALTHY} reports were shown`,
  clients.some(({ backward }) => backward > 0) && 'a client was shown something older than before',
  clients.some(({ newest }) => newest !== report) && 'a client was not shown the newest',
  stuck.some(({ times }) => times() < Math.floor(minutes)) && 'those that are stuck were not thrown out',
  descriptorsAfter > descriptors + 5 && `descriptors grew from ${descriptors} to ${descriptorsAfter}`
].filter(text => text !== false)

console.log(`${published} reports published, ${measured} of ${published * HEALTHY} shown to ${HEALTHY} clients; ` +
  `updates a client ${Math.min(...updates)} to ${Math.max(...updates)}; the last shown everywhere: ${clients.every(({ newest }) => newest === report)}`)
console.log(`delay: median ${at(0.5).toFixed(1)} p95 ${at(0.95).toFixed(1)} p99 ${at(0.99).toFixed(1)} max ${at(1).toFixed(1)} ms`)
console.log(`memory: first quarter after warm-up ${first.toFixed(1)} MB, last quarter ${last.toFixed(1)} MB ` +
  `(may grow by ${Math.round((GROWTH.share - 1) * 100)} % or ${GROWTH.atLeastMb} MB); descriptors ${descriptors}, at the end ${descriptorsAfter}`)
console.log(`${STUCK} stuck clients connected ${stuck.map(({ times }) => times()).join(', ')} times`)
for (const { socket } of clients) socket.disconnect() // those that are stuck stay
console.log(`SIGTERM to exit: ${(await app.stop()).toFixed(0)} ms`)
await printer.stop()
console.log(wrong.length === 0 ? 'flat and in time' : wrong.join('\n'))
process.exit(wrong.length === 0 ? 0 : 1)
