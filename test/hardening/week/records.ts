import type { Service } from '../farm/service.js'
import type { Morning, PrintRecord, Reason } from './judge.js'
import type { Begun } from './set-up.js'

type Body = any

const KINDS: Readonly<Record<string, string>> = {
  'climate.setLight': 'light',
  'climate.setBedTarget': 'bed',
  'climate.setNozzleTarget': 'nozzle',
  'climate.setFan': 'fan',
  'energy.turnOn': 'plug on',
  'energy.turnOff': 'plug off',
  'filament.startDryer': 'dry',
  'filament.stopDryer': 'end drying',
  'print.stop': 'stop',
  'print.pause': 'pause'
}

/** All pages of a list, newest first. */
async function all ({ ask }: Service, path: string, member: string, limit: number): Promise<Body[]> {
  const found: Body[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: Body = await ask('GET', `${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    found.push(...page[member])
    cursor = page.cursor
  }
  return found
}

/** Printers by the names and ids of their plugs, which are the notes of what is done to them. */
type Plugs = ReadonlyMap<string, string>
const printerOf = ({ printer, detail }: Body, plugs: Plugs): string =>
  printer ?? plugs.get(String(detail).split(':')[0] ?? '') ?? ''

/** What the audit log and the queue say was done. */
export async function readLogged (service: Service, { jobs }: Begun, plugs: Plugs): Promise<Reason[]> {
  const entries = await all(service, '/api/audit', 'entries', 500)
  const audited = entries.flatMap((entry: Body): Reason[] => {
    const kind = KINDS[entry.act]
    return kind === undefined
      ? []
      : [{ at: Date.parse(entry.at), on: printerOf(entry, plugs), kind, log: `${entry.face} (${entry.who})`, isDone: entry.outcome === 'done' }]
  })
  const views = await Promise.all(jobs.map(id => service.ask<Body>('GET', `/api/queue/jobs/${id}`)))
  const runs = views.flatMap(({ runs }) => runs).map((run: Body): Reason => ({
    at: run.chosen_at,
    on: run.printer,
    kind: 'start',
    id: run.id.slice(0, 8),
    log: 'the queue',
    isDone: !['preparing', 'not_started'].includes(run.state)
  }))
  return [...audited, ...runs]
}

/** What plugins that act noted before they did. */
export async function readNoted (service: Service, { sockets }: Begun): Promise<Reason[]> {
  const runs = await all(service, '/api/rules/runs', 'runs', 200)
  const steps = runs.flatMap((run: Body) => run.steps.flatMap((step: Body): Reason[] => {
    const [act = '', , on] = String(step.what).split(' ')
    const kind = KINDS[act]
    const where = on ?? run.printer ?? sockets[0]?.printer ?? ''
    return kind === undefined ? [] : [{ at: step.at, on: where, kind, log: `rule ${run.rule_name}`, isDone: true }]
  }))
  const { runs: dryings } = await service.ask<Body>('GET', '/api/drying_plans')
  const dried = dryings.flatMap(({ printer: on, began_at: at, ended_at: end, plan_name: plan }: Body): Reason[] => [
    { at, on, kind: 'dry', log: `plan ${plan}`, isDone: true },
    ...end === null ? [] : [{ at: end, on, kind: 'end drying', log: `plan ${plan}`, isDone: true }]
  ])
  return [...steps, ...dried]
}

export async function readPrints (service: Service): Promise<(PrintRecord & { readonly printer: string })[]> {
  const prints = await all(service, '/api/history', 'prints', 200)
  return prints.map(({ id, printer, result, ended_at: endedAt, filaments }: Body) => ({
    id, printer, result, endedAt, grams: filaments.reduce((sum: number, { grams }: Body) => sum + (grams ?? 0), 0)
  }))
}

export interface Used { readonly wh: number, readonly prints_wh: number, readonly idle_wh: number }
export const readUse = (service: Service, printer: string): Promise<Used> =>
  service.ask('GET', `/api/energy/use?printer_name=${printer}&since=2026-01-01`)

/** Energy of prints, each by its own record. */
export async function readPrintEnergy (service: Service, prints: readonly { readonly id: string }[]): Promise<number> {
  const details = await Promise.all(prints.map(({ id }) => service.ask<Body>('GET', `/api/history/${id}`)))
  const measured = details.flatMap(({ energy }) => energy ?? [])
  return measured.reduce((sum: number, { wh }: Body) => sum + wh, 0)
}

export async function readMorning (service: Service, at: number): Promise<Morning> {
  const { from, until, printed } = await service.ask<Body>('GET', `/api/night/report?at=${at}`)
  return { from, until, ...printed }
}
