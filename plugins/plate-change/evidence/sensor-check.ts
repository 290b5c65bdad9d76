import type { SensorSettings } from '../schemas.js'
import type { Evidence, SensorBroker } from './types.js'

/** A scale or a switch sends a few bytes. */
const MOST_BYTES = 4_096
const DEEPEST = 5
const FIGURE = /^-?\d{1,12}(?:\.\d{1,12})?$/

/** The value in a message: its whole text, or a member of a JSON object. */
function valueIn (payload: Buffer, key: string): string | number | undefined {
  if (payload.length > MOST_BYTES) return undefined
  const text = payload.toString('utf8').trim()
  if (key === '') return text
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const steps = key.split('.')
  if (steps.length > DEEPEST) return undefined
  for (const step of steps) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
    value = (value as Record<string, unknown>)[step]
  }
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' ? value : typeof value === 'boolean' ? String(value) : undefined
}

/** What a message says; undefined for one that says nothing about the plate. */
export function readSensor (payload: Buffer, { key, empty, above, below }: SensorSettings): Evidence | undefined {
  const value = valueIn(payload, key)
  if (value === undefined || value === '') return undefined
  const shown = String(value).slice(0, 40)
  if (empty !== undefined) {
    const isEmpty = String(value) === empty
    return { verdict: isEmpty ? 'empty' : 'full', reason: `the sensor says '${shown}'` }
  }
  const figure = typeof value === 'number' || FIGURE.test(value) ? Number(value) : NaN
  if (below === undefined || !Number.isFinite(figure)) return undefined
  if (above === undefined || figure <= above) {
    return { verdict: 'unsure', reason: `the sensor says ${shown}, as one that is broken does` }
  }
  return { verdict: figure < below ? 'empty' : 'full', reason: `the sensor says ${shown}; empty is below ${below}` }
}

/** Waits for a message that is sent from now on; one that the broker has stored is no check. */
export function checkSensor (
  broker: SensorBroker | undefined, settings: SensorSettings | undefined,
  { waitMs, signal }: { waitMs: number, signal: AbortSignal }
): Promise<Evidence> {
  if (!settings) return Promise.resolve({ verdict: 'unsure', reason: 'the recipe names no sensor' })
  if (!broker) return Promise.resolve({ verdict: 'unsure', reason: 'this service has no MQTT broker', isMissing: true })
  return new Promise(resolve => {
    let off = (): void => {}
    let isOver = false
    const timer = setTimeout(() => end({ verdict: 'unsure', reason: 'the sensor sent nothing new', isMissing: !broker.isConnected }), waitMs)
    const aborted = (): void => end({ verdict: 'unsure', reason: 'the check was ended' })
    function end (evidence: Evidence): void {
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', aborted)
      off()
      resolve(evidence)
    }
    signal.addEventListener('abort', aborted)
    off = broker.subscribe(settings.topic, ({ payload, isRetained }) => {
      const evidence = isRetained ? undefined : readSensor(payload, settings)
      if (evidence) end(evidence)
    })
    if (isOver) return off()
    if (signal.aborted) return aborted()
    // A request that cannot be sent is noticed by the silence that follows.
    if (settings.ask !== undefined) void Promise.resolve(broker.publish(settings.ask, 'read')).catch(() => {})
  })
}
