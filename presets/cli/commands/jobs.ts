import { createInterface } from 'node:readline/promises'
import { BadInput, closestMatch, readConfig } from '../../../core/index.js'
import type { Fleet, PrinterSummary } from '../../../plugins/overview/index.js'
import { CONDITIONS } from '../../../plugins/state/index.js'
import { counted, bar, hasColours, painted, printable, table, type Row } from '../table.js'
import { runningService, type Params, type Service } from '../service.js'

interface Options { readonly config?: string, readonly json?: boolean, readonly yes?: boolean }

/** The running service, as these commands use it. */
export interface Api {
  /** @throws the service's error */
  call<T> (method: string, path: string, params?: Params, withinMs?: number): Promise<T>
}

export interface Screen {
  readonly say: (line: string) => void
  readonly colours: boolean
  /** Replaces the last line; undefined unless on a terminal. */
  readonly redraw?: (line: string) => void
}

const ACTS = {
  pause: { path: '/api/pause_printing', done: 'The print is paused.' },
  resume: { path: '/api/resume_printing', done: 'The print goes on.' },
  stop: { path: '/api/stop_printing', done: 'The print is stopped.' }
} as const
export type Act = keyof typeof ACTS

const clock = (iso: string | null | undefined): string =>
  iso ? `until ${new Date(iso).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}` : ''

const RUNS: ReadonlySet<string> = new Set(['printing', 'preparing', 'paused', 'error'])

const rowOf = ({ name, condition, job, problem }: PrinterSummary): Row => [
  name,
  { text: CONDITIONS[condition].word, tone: CONDITIONS[condition].tone },
  job && RUNS.has(condition) ? `${Math.round(job.percent)} %` : '',
  clock(job?.ends_at),
  problem ?? job?.name ?? ''
]

/** All printers, one per line, those that need attention first. */
export async function showJobs (api: Api, { say, colours }: Screen, json = false): Promise<void> {
  const fleet = await api.call<Fleet>('GET', '/api/fleet')
  if (json) return say(JSON.stringify(fleet, null, 2))
  if (fleet.printers.length === 0) return say('No printer is configured.')
  for (const line of table(fleet.printers.map(rowOf), colours)) say(line)
  const { total, printing, needs_person: needs, offline } = fleet.counts
  say(`${counted(total, 'printer')}, ${printing} printing, ${needs} ${needs === 1 ? 'needs' : 'need'} a person, ${offline} offline`)
}

/** The named printer, or the only one. @throws PRN_ERR_BAD_INPUT */
export async function find (api: Api, name: string | undefined): Promise<PrinterSummary> {
  const { printers } = await api.call<Fleet>('GET', '/api/fleet')
  const only = printers.length === 1 ? printers[0] : undefined
  const found = name === undefined ? only : printers.find(one => one.name === name)
  if (found) return found
  const names = printers.map(one => one.name)
  if (name === undefined) throw new BadInput(`Name a printer: ${names.join(', ') || 'none is configured'}`)
  const close = closestMatch(name, names)
  throw new BadInput(`There is no printer '${name}'${close === undefined ? '' : `; did you mean '${close}'?`}`)
}

/** Asks for confirmation of an irreversible action. */
export type Confirm = (question: string) => Promise<boolean>

/** Pauses, resumes or stops a job; stopping needs confirmation. */
export async function act (api: Api, { say }: Screen, what: Act, name: string | undefined, confirm: Confirm):
Promise<boolean> {
  const { name: printer, job } = await find(api, name)
  const question = `Stop ${printable(job?.name ?? 'the print')} on ${printer}? It cannot be resumed.`
  if (what === 'stop' && !await confirm(question)) {
    say('Nothing was done.')
    return false
  }
  if (what === 'stop' && (await find(api, printer)).job?.name !== job?.name) {
    throw new BadInput(`${printer} has another job by now; nothing was stopped`)
  }
  await api.call('POST', ACTS[what].path, { printer })
  say(`${printer}: ${ACTS[what].done}`)
  return true
}

const lineOf = ({ name, condition, job }: PrinterSummary, colours: boolean): string => {
  const { word, tone } = CONDITIONS[condition]
  const how = painted(word, tone, colours)
  if (!job) return `${name}  ${how}`
  const layers = job.layers > 0 ? `layer ${job.layer}/${job.layers}` : ''
  return [name, how, bar(job.percent), `${Math.round(job.percent)} %`, layers, clock(job.ends_at), printable(job.name)]
    .filter(Boolean).join('  ')
}

const FAILED: ReadonlySet<string> = new Set(['failed', 'cancelled'])
/** Watching ends after this many failed requests in a row. */
const MOST_MISSES = 5

/**
 * Follows one printer until its job has ended.
 * @param wait delays the next request
 * @returns whether the job succeeded
 */
export async function follow (api: Api, { say, redraw, colours }: Screen, name: string | undefined,
  wait: () => Promise<void>): Promise<boolean> {
  const { name: printer } = await find(api, name)
  let shown = ''
  let misses = 0
  for (;;) {
    const fleet = await api.call<Fleet>('GET', '/api/fleet').catch((error: Error) => {
      if (++misses >= MOST_MISSES) throw error
      return undefined
    })
    const now = fleet?.printers.find(one => one.name === printer)
    if (fleet && !now) throw new BadInput(`There is no printer '${printer}' any more`)
    if (now) {
      misses = 0
      const line = lineOf(now, colours)
      if (redraw) redraw(line)
      else if (line !== shown) say(line)
      shown = line
      const isOver = !RUNS.has(now.condition) && now.condition !== 'offline' && now.condition !== 'stale'
      if (isOver) {
        if (redraw) say('')
        return !FAILED.has(now.condition)
      }
    }
    await wait()
  }
}

const POLL_EVERY_MS = 2_000

export const screen = (): Screen => ({
  say: line => console.log(line),
  colours: hasColours(),
  ...(process.stdout.isTTY && { redraw: (line: string) => { process.stdout.write(`\r\u001B[K${line}`) } })
})

export async function connect ({ config }: Options): Promise<Service> {
  const known = await readConfig(config, { warn: message => console.error(`Warning: ${message}`) })
  const service = await runningService(known, { orDemo: true })
  if (service === undefined) throw new BadInput('No service runs with this configuration: start one with prnd daemon')
  if (service.isDemo) console.error('This is the demonstration: its printers are virtual.')
  return service
}

/** Asks for confirmation on the terminal. @throws PRN_ERR_BAD_INPUT without one */
export async function ask (question: string): Promise<boolean> {
  if (!process.stdin.isTTY) throw new BadInput('There is no terminal to ask for confirmation: add --yes')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}

export async function jobs (options: Options): Promise<void> {
  await showJobs(await connect(options), screen(), options.json)
}

export async function control (what: Act, name: string | undefined, options: Options): Promise<void> {
  const done = await act(await connect(options), screen(), what, name, options.yes === true ? async () => true : ask)
  if (!done) process.exitCode = 1
}

export async function watch (name: string | undefined, options: Options): Promise<void> {
  const wait = () => new Promise<void>(resolve => setTimeout(resolve, POLL_EVERY_MS))
  if (!await follow(await connect(options), screen(), name, wait)) process.exitCode = 1
}
