import type { MetricSource, Value } from './metric.js'

const NAME = 'prn_http_request_seconds'
const HELP = 'Requests by method, route and status, with the time to the end of the answer'
/** Upper ends of the classes, s. */
const BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60]

interface Times {
  readonly labels: { readonly method: string, readonly route: string, readonly status: number }
  /** One for each class, and one for what is longer than all. */
  readonly counts: number[]
  sumS: number
}

const linesOf = ({ labels, counts, sumS }: Times): Value[] => {
  let below = 0
  const classes = counts.map((count, at) => {
    below += count
    return { metricName: `${NAME}_bucket`, labels: { le: BUCKETS[at] ?? '+Inf', ...labels }, value: below }
  })
  return [
    ...classes,
    { metricName: `${NAME}_sum`, labels, value: sumS },
    { metricName: `${NAME}_count`, labels, value: below }
  ]
}

const NONE = new Array<number>(BUCKETS.length + 1).fill(0)

function entry<Key, Value> (map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) map.set(key, value = make())
  return value
}

/** A histogram that takes its labels apart when it is read: requests come by the thousand, readers by the minute. */
export function createRequestTimes () {
  /** By route, method and status: joined to one text they would be hashed anew for each request. */
  const times = new Map<string, Map<string, Map<number, Times>>>()
  const all = () => [...times.values()].flatMap(methods => [...methods.values()].flatMap(found => [...found.values()]))
  const figure: MetricSource = {
    name: NAME, help: HELP, type: 'histogram', read: () => all().flatMap(linesOf)
  }

  return {
    figure,
    count (method: string, route: string, status: number, seconds: number): void {
      const ofMethod = entry(entry(times, route, () => new Map()), method, () => new Map())
      const found = entry(ofMethod, status, () => ({ labels: { method, route, status }, counts: [...NONE], sumS: 0 }))
      let at = 0
      while (at < BUCKETS.length && seconds > (BUCKETS[at] ?? 0)) at++
      found.counts[at] = (found.counts[at] ?? 0) + 1
      found.sumS += seconds
    }
  }
}
