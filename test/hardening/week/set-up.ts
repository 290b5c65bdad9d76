import { realPlate, RECIPE } from '../../plugins/plate-change/helpers.js'
import { Refusal, type Service } from '../farm/service.js'
import { PUSH } from './machine.js'
import { reckless, refused, templates, type Rule } from './rules.js'
import type { VirtualPlug } from './virtual-plug.js'

export const sensorTopic = (printer: string) => `plates/${printer}`
export const FLOOD = 'house/flood'

export interface Size {
  readonly printers: number
  readonly plugs: number
  readonly jobs: number
  readonly kills: number
  /** Of the broker, and of the database. */
  readonly outages: number
  /** How many times as fast a printer is, and the clock of the service. */
  readonly speed: number
  readonly rate: number
  /** Of a print. */
  readonly minutes: readonly [least: number, most: number]
  /** How long it lasts at least, ms by this machine. */
  readonly leastMs: number
  readonly seed: number
}

/** Which printer has what: plugs on the first ones, ejectors on every second one, drying plans on every third one. */
export const isEjecting = (at: number): boolean => at % 2 === 0
const isDrying = (at: number): boolean => at % 3 === 2

type Body = any
/** Until the first morning report, by the clock of the service. */
const SOON_MS = 20 * 60_000
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** As a person does: check, read, accept. */
async function saveRule ({ ask }: Service, rule: Rule): Promise<void> {
  const checked = await ask<Body>('POST', '/api/rules/check', { rule })
  if (checked.ok !== true) throw new Error(`${rule.name}: ${JSON.stringify(checked.errors)}`)
  await ask('POST', '/api/rules', { ...rule, accept_consequence: checked.accept_consequence })
}

/** @returns those that the check let pass */
async function tryRefused ({ ask }: Service, printer: string): Promise<string[]> {
  const passed: string[] = []
  for (const rule of refused(printer)) {
    const isRefused = await ask<Body>('POST', '/api/rules/check', { rule }).then(({ ok }) => ok === false, error => error instanceof Refusal)
    if (!isRefused) passed.push(rule.name)
  }
  return passed
}

/** Everything that people set up before they leave. */
export async function setUp (
  service: Service, { jobs, printers: many }: Size, plugs: readonly VirtualPlug[], now: number
) {
  const { ask } = service
  const morning = new Date(now + SOON_MS).toISOString().slice(11, 16)
  const printers = Array.from({ length: many }, (_, at) => `x${at + 1}`)
  await ask('POST', '/api/queue/files?filename=part.gcode.3mf', new Uint8Array(realPlate(40)))
  await ask('PATCH', '/api/night', { time_zone: 'UTC', report: { at: morning, targets: ['phone'], language: 'en' } })
  await ask('PATCH', '/api/energy/prices', {
    currency: 'EUR', price: 0.3, time_zone: 'UTC', windows: [{ days: [...DAYS], from: '22:00', to: '06:00', price: 0.2 }]
  })

  const sockets: { id: string, printer: string }[] = []
  for (const [at, { name, kind, topic }] of plugs.entries()) {
    const printer = printers[at] ?? ''
    const { id } = await ask<Body>('POST', '/api/energy/plugs', {
      name, kind, settings: { topic }, printer, on_for_jobs: true, off_after_min: 15
    })
    sockets.push({ id, printer })
  }
  for (const [at, printer] of printers.entries()) {
    if (isEjecting(at)) {
      const topic = sensorTopic(printer)
      const { id, hash } = await ask<Body>('POST', '/api/plate-change/recipes', {
        ...RECIPE,
        name: `Push ${printer}`,
        end_gcode: `M190 R60\nG90\nG1 Z{print_height_mm+10} F900\n${PUSH}\nG1 Z5\nG1 Y5`,
        sensor: { topic, key: 'plate', empty: 'empty', ask: `${topic}/read` }
      })
      await ask('POST', '/api/plate-change/accept', { printer, recipe: id, hash, accepted: true })
    }
    if (isDrying(at)) {
      const plan = await ask<Body>('POST', '/api/drying_plans', {
        name: `Dry ${printer}`, printer, unit: 128, days: 0.5, hours: 1, power_group: printer, holds_queue: true
      })
      await ask('POST', `/api/drying_plans/${plan.id}/accept`, { revision: plan.revision })
    }
  }
  await ask('POST', '/api/maintenance/tasks', { name: 'Wipe the rods', every: { prints: 4 }, blocks: true, printers: printers.slice(0, 2) })

  const [plug = { id: '', printer: '' }] = sockets
  const rules = [...templates(plug.printer, plug), ...reckless(sockets, FLOOD)]
  for (const rule of rules) await saveRule(service, rule)
  const passed = await tryRefused(service, printers[0] ?? '')

  const ids: string[] = []
  for (let at = 0; at < jobs; at++) {
    const { id } = await ask<Body>('POST', '/api/queue', { file: 'part.gcode.3mf', copies: 1, job_name: `job${at}`, retries: 10 })
    ids.push(id)
  }
  const ejecting = new Set(printers.filter((_, at) => isEjecting(at)))
  return { jobs: ids, sockets, passed, rules: rules.length, ejecting }
}
export type Begun = Awaited<ReturnType<typeof setUp>>
