import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { FieldRequired, UnknownField } from './errors.js'
import { isHealthField } from './health-history.js'
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
    if (!series) throw new UnknownField(field)
    return series as never
  }
})

const Link = Type.Object({ url: Type.String() })

export const linkData = operation({
  name: 'telemetry.linkData',
  summary: 'Address of everything recorded in the last hour',
  effect: 'read',
  input: Type.Object({}),
  output: Link,
  run: ({ session, services, baseUrl }) =>
    ({ url: services.http.link(paths.data, { printer: session.name }, baseUrl) })
})

export const linkHistory = operation({
  name: 'telemetry.linkHistory',
  summary: 'Address of the statistics (raw: points) of the last hour',
  effect: 'read',
  input: Type.Object({ raw: Type.Boolean() }),
  output: Link,
  run: ({ session, services, baseUrl }, { raw }) =>
    ({ url: services.http.link(paths.history, { printer: session.name, raw }, baseUrl) })
})

export const linkSeries = operation({
  name: 'telemetry.linkSeries',
  summary: 'Address of one recorded series',
  effect: 'read',
  input: Type.Object({ field: Type.String() }),
  output: Link,
  errors: [UnknownField],
  run ({ session, services, baseUrl }, { field }) {
    const { telemetry, http } = services
    const known = isHealthField(field) || telemetry.collections.some(({ name }) => name === field)
    if (!known) throw new UnknownField(field)
    return { url: http.link(paths.series, { printer: session.name, field }, baseUrl) }
  }
})

/** Where the readings are served; the addresses that tools return are made from these. */
export const paths = {
  data: { path: '/monitoring_data' },
  history: { path: '/monitoring_history' },
  series: { path: '/monitoring_series' }
} as const
