import { defineError, definePlugin, operation, route, tool, type PrinterSession, type PrinterState } from 'prnd'
import { defineAlert } from 'prnd/plugins/alerts'
import { defineChart, frame, HEIGHT, label, WIDTH } from 'prnd/plugins/charts'
import { defineCollection } from 'prnd/plugins/telemetry'
import { Type, type Static } from 'typebox'

/** How often each bed was warm, for whoever needs this plugin. */
export interface BedWatch {
  readonly toleranceC: number
  count (printer: string): number
  reset (printer: string): void
}

declare module 'prnd' {
  interface Services { bedWatch: BedWatch }
  interface Events { 'bed:warm': [printer: string, count: number] }
}

const Options = Type.Object({
  toleranceC: Type.Number({ default: 2, minimum: 0, description: 'How near to the target counts as there' })
})
type Options = Static<typeof Options>

export const NeverWarm = defineError<[printer: string]>('PRN_ERR_BED_NEVER_WARM', "The bed of '%s' was never warm", 409)

const Count = Type.Object({ printer: Type.String(), count: Type.Integer(), tolerance: Type.Number() })

export const readCount = operation({
  name: 'bed-watch.readCount',
  summary: 'How often the bed reached its target',
  effect: 'read',
  input: Type.Object({ strict: Type.Boolean({ default: false, description: 'Refuse when it never did' }) }),
  output: Count,
  errors: [NeverWarm],
  run ({ services, session: { name } }, { strict }) {
    const count = services.bedWatch.count(name)
    if (strict && count === 0) throw new NeverWarm(name)
    return { printer: name, count, tolerance: services.bedWatch.toleranceC }
  }
})

export const resetCount = operation({
  name: 'bed-watch.resetCount',
  summary: 'Begin to count anew',
  effect: 'local',
  input: Type.Object({}),
  output: Type.Object({}),
  run ({ services, session }) {
    services.bedWatch.reset(session.name)
    return {}
  }
})

const routes = [
  route(readCount, { method: 'GET', path: '/bed_watch' }),
  route(resetCount, { method: 'POST', path: '/bed_watch/reset', reply: () => ({ status: 'success' }) })
]
const tools = [
  tool(readCount, {
    name: 'get_bed_watch',
    returns: 'text',
    params: Type.Object({}),
    input: () => ({ strict: false }),
    result: ({ count }, _params, printer) => `The bed of '${printer}' was warm ${count} times.`
  })
]

const isWarm = (state: PrinterState | undefined, { toleranceC }: Options): boolean => {
  const { actual, target } = state?.heat.bed ?? {}
  return actual !== undefined && target !== undefined && target > 0 && actual >= target - toleranceC
}

/** Goes with the other alerts: queue, tool, resource, live stream. */
const bedWarm = (options: Options) => defineAlert({
  type: 'bed_warm',
  severity: 'low',
  detect: (now, before) => isWarm(now, options) && !isWarm(before, options)
    ? { celsius: now.heat.bed.actual, target: now.heat.bed.target }
    : undefined
})

/** Recorded with every report, and served like the built-in ones. */
const bedMissing = defineCollection({
  name: 'bed_missing',
  unit: '°C',
  read: ({ heat: { bed } }) => bed.target > 0 ? bed.target - bed.actual : undefined
})

/** A panel of lines, drawn for us. */
const missingChart = defineChart({ id: 'bed-missing', title: 'Missing to the target', collections: ['bed_missing'] })

/** A panel that we draw. */
const nowPanel = defineChart({
  id: 'bed-now',
  title: 'Bed now',
  render: ({ state }) => frame({
    id: 'bed-now',
    title: 'Bed now',
    description: 'Temperature of the bed',
    body: label(WIDTH / 2, HEIGHT / 2, state ? `${state.heat.bed.actual} °C` : 'unknown')
  })
})

export default definePlugin({
  name: 'bed-watch',
  version: '0.1.0',
  kernel: '^2.0.0',
  description: 'Counts how often each heated bed reached its target',
  provides: ['bedWatch'],
  options: Options,
  contributes: options => ({
    routes,
    tools,
    alerts: [bedWarm(options)],
    collections: [bedMissing],
    charts: [missingChart, nowPanel]
  }),
  setup ({ options, printers, events, provide, log }) {
    const counts = new Map<string, number>()
    const warmed = (name: string) => {
      const count = (counts.get(name) ?? 0) + 1
      counts.set(name, count)
      log.info({ printer: name, count }, 'the bed is warm')
      events.emit('bed:warm', name, count)
    }
    const follow = (session: PrinterSession) => session.events.on('state', (now, before) => {
      if (isWarm(now, options) && !isWarm(before, options)) warmed(session.name)
    })
    printers.each(follow)
    provide('bedWatch', {
      toleranceC: options.toleranceC,
      count: name => counts.get(name) ?? 0,
      reset: name => { counts.delete(name) }
    })
  }
})
