import { Type, type Static } from 'typebox'
import { operation, type Services } from '../../core/index.js'
import { FieldRequired, UnknownField } from './errors.js'
import { HEALTH_FIELDS, isHealthField } from './health-history.js'
import { History, Recorded, Series } from './schemas.js'

export const readData = operation({
  name: 'telemetry.readData',
  summary: 'Everything recorded in the last 60 minutes',
  effect: 'read',
  input: Type.Object({}),
  output: Recorded,
  run: ({ session, services }) => services.telemetry.data(session.name) as never
})

/** Statistics, or with `raw` everything; with health records when there are any. */
export const readHistory = operation({
  name: 'telemetry.readHistory',
  summary: 'Statistics of the last 60 minutes, or with raw=true the points',
  effect: 'read',
  input: Type.Object({ raw: Type.Boolean({ default: false }) }),
  output: History,
  run: ({ session: { name }, services: { telemetry } }, { raw }) =>
    (raw ? telemetry.history(name) : telemetry.summary(name)) as never
})

export const readSeries = operation({
  name: 'telemetry.readSeries',
  summary: 'The points of one collection or health field',
  effect: 'read',
  input: Type.Object({ field: Type.String() }),
  output: Type.Object({ field: Type.String(), series: Series }),
  errors: [FieldRequired, UnknownField],
  run ({ session: { name }, services: { telemetry } }, { field }) {
    const series = telemetry.series(name, field)
    if (!series) throw unknownField(field, telemetry)
    return series as never
  }
})

/** Most points of a series in a tool result: enough to see its trend. */
const MOST_POINTS = 60

type Telemetry = Services['telemetry']

/** The error lists the known fields. */
const unknownField = (field: string, { collections }: Telemetry) => new UnknownField(field)
  .with({ fields: [...collections.map(({ name }) => name), ...HEALTH_FIELDS] })

/** Thins points evenly and always keeps the newest. */
function thinned<T> (points: readonly T[]): readonly T[] {
  const step = Math.ceil(points.length / MOST_POINTS)
  return points.filter((_, at) => (points.length - 1 - at) % step === 0)
}

const Link = Type.Object({ url: Type.String() })
const Summed = Type.Object({
  ...Link.properties,
  summary: Type.Unsafe<object>({ type: 'object', description: 'By field: count, min, max, avg, last' }),
  gcode_state_durations: Type.Unsafe<object>({ type: 'object', description: 'Seconds in each state' }),
  health: Type.Optional(Type.Unsafe<object>({ type: 'object', description: 'The same of the job monitor' }))
})

const summaryOf = (telemetry: Telemetry, printer: string) => {
  const { summary, gcode_state_durations: durations, health } =
    telemetry.summary(printer) as unknown as Static<typeof Summed>
  return { summary, gcode_state_durations: durations, ...(health !== undefined && { health }) }
}

export const linkData = operation({
  name: 'telemetry.linkData',
  summary: 'Statistics of the last hour, and the address of every point',
  effect: 'read',
  input: Type.Object({}),
  output: Summed,
  run: ({ session: { name }, services, baseUrl }) => ({
    url: services.http.link(paths.data, { printer: name }, baseUrl), ...summaryOf(services.telemetry, name)
  })
})

export const linkHistory = operation({
  name: 'telemetry.linkHistory',
  summary: 'Statistics of the last hour, and their address',
  effect: 'read',
  input: Type.Object({ raw: Type.Boolean() }),
  output: Summed,
  run: ({ session: { name }, services, baseUrl }, { raw }) => ({
    url: services.http.link(paths.history, { printer: name, raw }, baseUrl), ...summaryOf(services.telemetry, name)
  })
})

export const linkSeries = operation({
  name: 'telemetry.linkSeries',
  summary: 'One recorded series, and the address of every point',
  effect: 'read',
  input: Type.Object({ field: Type.String() }),
  output: Type.Object({ ...Link.properties, field: Type.String(), points: Type.Array(Type.Unsafe<object>({})) }),
  errors: [UnknownField],
  run ({ session, services, baseUrl }, { field }) {
    const { telemetry, http } = services
    const known = isHealthField(field) || telemetry.collections.some(({ name }) => name === field)
    if (!known) throw unknownField(field, telemetry)
    const found = telemetry.series(session.name, field) as unknown as
      { series: { data: readonly object[] } } | undefined
    return {
      url: http.link(paths.series, { printer: session.name, field }, baseUrl),
      field,
      points: [...thinned(found?.series.data ?? [])]
    }
  }
})

/** Paths of the routes; tools return links made from them. */
export const paths = {
  data: { path: '/monitoring_data' },
  history: { path: '/monitoring_history' },
  series: { path: '/monitoring_series' }
} as const
