import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import WebSocket from 'ws'
import { findProgram } from '../helpers/programs.js'
import { startDaemon, startHelper, usageOf } from './processes.js'
import type { Row } from './row.js'

const PORT = 47_815
const PRINTERS = 300
const PAGES = 10
const SETTLE_MS = 40_000
/** Some work of the service comes once a minute. */
const MEASURE_MS = 60_000
/** A frame that took longer was not shown in time at 60 a second. */
const LATE_MS = 1000 / 60 * 1.5

const nap = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

/** Percent of a core. */
async function loadOf (pid: number): Promise<number> {
  const [before, begin] = [usageOf(pid).cpuMs, performance.now()]
  await nap(MEASURE_MS)
  return (usageOf(pid).cpuMs - before) / (performance.now() - begin) * 100
}

/** Scrolls down and up again for some seconds. @returns ms between frames */
const scroll = (page: Page): Promise<number[]> => page.evaluate(`new Promise(resolve => {
  const times = []
  let last = performance.now(), down = true
  const end = last + 6_000
  const frame = now => {
    times.push(now - last)
    last = now
    const most = document.documentElement.scrollHeight - innerHeight
    scrollBy(0, down ? 40 : -40)
    if (scrollY >= most - 1) down = false
    if (scrollY <= 0) down = true
    if (now < end) requestAnimationFrame(frame)
    else resolve(times.slice(1))
  }
  requestAnimationFrame(frame)
})`)

/** The page of all printers with 300 of them that print: what it costs the service, and how it scrolls. */
export async function fleetPage (): Promise<Row[]> {
  const { chromium } = await import('playwright-core')
  const fleet = await startHelper<{ printers: { name: string }[] }>('virtual-fleet', [String(PRINTERS), 'printing'])
  const daemon = await startDaemon({ printers: fleet.hello.printers, plugins: { health: false } }, PORT)
  const profile = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  await nap(SETTLE_MS)
  const before = await loadOf(daemon.pid)
  // Each page reads the list once and then follows the topic: that is what is opened here, without browsers.
  const sockets = Array.from({ length: PAGES }, () => new WebSocket(`${daemon.url.replace('http', 'ws')}/api/live?topics=fleet`))
  let messages = 0
  for (const socket of sockets) socket.on('message', () => { messages++ }).on('error', () => {})
  await Promise.all(sockets.map(async () => await (await fetch(`${daemon.url}/api/fleet`)).arrayBuffer()))
  await nap(2_000)
  const heard = messages
  const open = await loadOf(daemon.pid)
  const perSecond = (messages - heard) / MEASURE_MS * 1000
  for (const socket of sockets) socket.terminate()
  await nap(2_000)
  const after = await loadOf(daemon.pid)
  const alone = (before + after) / 2

  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findProgram('chromium-headless-shell', 'chromium') ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    viewport: { width: 1440, height: 900 }
  })
  const page = await context.newPage()
  await page.goto(`${daemon.url}/fleet`)
  await page.locator('#tiles > li').nth(PRINTERS - 1).waitFor({ state: 'attached' })
  await scroll(page) // what was never seen is drawn for the first time
  const frames = (await scroll(page)).sort((a, b) => a - b)
  const late = frames.filter(ms => ms > LATE_MS).length
  await context.close()
  await daemon.stop()
  await fleet.stop()
  await rm(profile, { recursive: true, force: true, maxRetries: 3 })
  const what = `fleet page, ${PRINTERS} printers`
  return [
    { name: `${what}: ${PAGES} pages, of a core`, ours: open - alone, unit: '%', bar: { atMost: 5 }, note: `${before.toFixed(1)} and ${after.toFixed(1)} % without, no health monitor, ${perSecond.toFixed(0)} messages/s` },
    { name: `${what}: frames a second while scrolling`, ours: frames.length / 6, unit: '/s', bar: { atLeast: 58 }, note: `${late} of ${frames.length} late, longest ${frames.at(-1)?.toFixed(0)} ms` }
  ]
}
