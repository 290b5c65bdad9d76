import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { COLLECTIONS, type Collection } from '../../telemetry/index.js'
import type { Points } from './thinned.js'

/** Printers without the sensor report a temperature of 0. */
const hasChamber: Collection['read'] = ({ heat: { chamber } }) => chamber.sensor ? chamber.actual : undefined

/** The series stored for each print, in the order of the charts. */
export const SERIES: readonly Collection[] = [
  ...COLLECTIONS.map(collection => collection.name === 'chamber' ? { ...collection, read: hasChamber } : collection),
  { name: 'speed', unit: '%', read: ({ job }) => job.speedPercent },
  { name: 'layer', unit: '', read: ({ job }) => job.layer > 0 ? job.layer : undefined }
]

/** Filled by the verdicts of the job monitor, not by reports. */
export const HEALTH_SERIES = 'health_score'

export const unitOf = (name: string): string => SERIES.find(series => series.name === name)?.unit ?? ''

/** In the order of the charts. */
export function seriesOf (points: Points) {
  const known = SERIES.map(({ name }) => name)
  const names = [...known, ...Object.keys(points).filter(name => !known.includes(name))]
  return names.flatMap(name => {
    const own = points[name] ?? []
    return own.length > 0 ? [{ name, unit: unitOf(name), points: own }] : []
  })
}

/** Least and greatest value of each series. */
export const rangesOf = (points: Points) => seriesOf(points).map(({ name, unit, points: own }) => ({
  series: name,
  unit,
  lowest: own.reduce((least, [, value]) => Math.min(least, value), Infinity),
  highest: own.reduce((greatest, [, value]) => Math.max(greatest, value), -Infinity)
}))

const LARGEST = 8_000_000
const compress = promisify(gzip)
const expand = promisify(gunzip)

/** As text, which both databases accept. */
export const encode = async (points: Points): Promise<string> =>
  (await compress(JSON.stringify(points))).toString('base64')

/** @throws for text that `encode` has not produced */
export const decode = async (text: string): Promise<Points> =>
  JSON.parse((await expand(Buffer.from(text, 'base64'), { maxOutputLength: LARGEST })).toString())
