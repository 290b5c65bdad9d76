import type { Collection } from '../../telemetry/index.js'
import { words } from '../format.js'
import type { ChartView, CollectionPanel } from '../panel.js'
import { lineChart } from '../svg/line-chart.js'
import { pointsOf } from './points.js'

const LARGE = 100
const EMPTY = { text: 'no data', detail: 'Nothing has been recorded of it yet.' }

/** A decimal where it matters. */
const amount = (value: number) =>
  String(Math.abs(value) < LARGE ? Math.round(value * 10) / 10 : Math.round(value))
const withUnit = (unit: string) => (value: number) => unit === '' ? amount(value) : `${amount(value)} ${unit}`

/** The standard chart of recorded values. @param all what is recorded */
export function collectionRenderer ({ id, title, collections }: CollectionPanel, all: readonly Collection[]) {
  const unitOf = (name: string) => all.find(collection => collection.name === name)?.unit ?? ''
  const units = new Set(collections.map(unitOf))
  const [only = ''] = units
  return ({ data, now }: ChartView): string => lineChart({
    id,
    title,
    now,
    unit: units.size === 1 && only !== '' ? ` ${only}` : '',
    empty: EMPTY,
    lines: collections.map(name =>
      ({ label: words(name), points: pointsOf(data, name), format: withUnit(unitOf(name)) }))
  })
}
