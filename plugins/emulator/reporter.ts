import { applyReportPatch } from './apply-report-patch.js'
import { changed, isJson, mergeDeep, prune, same, type Json } from './json-merge.js'
import type { Machine } from './machine/types.js'
import { render } from './report/index.js'

const FULL = 0
const PARTIAL = 1

/** Keys of a heartbeat between two full reports, and of the first message to a new listener. */
const HEARTBEAT = ['wifi_signal', 'nozzle_temper', 'bed_temper', 'gcode_state'] as const

/** Reports the machine, in the way of its family. */
export interface Reporter {
  /** The report as merged by a listener that missed nothing. */
  current (): Json
  /** A complete report, as an answer to `pushall`. */
  full (): void
  /** The regular report. */
  periodic (): void
  /** A report after an event; an incremental printer without changes sends none. */
  reportChanges (): void
  /** The first message to a new listener. */
  reportFirst (): void
  patch (fields: Json): void
}

export interface ReporterOptions {
  readonly machine: Machine
  /** Publishes one document. */
  readonly say: (document: Readonly<Json>) => void
  /** False without a subscriber: then no report is built. */
  readonly isHeard: () => boolean
}

const pick = (document: Json, keys: readonly string[]): Json =>
  Object.fromEntries(keys.filter(key => key in document).map(key => [key, document[key]]))

const list = (value: unknown): Json[] => Array.isArray(value) ? value.filter(isJson) : []

/** Changed units, always complete: no printer reports a unit without its slots, and decoders rely on that. */
const changedUnits = (before: unknown, now: unknown): Json[] => list(now).filter(unit => {
  const old = list(before).find(({ id }) => id === unit.id)
  return old === undefined || !same(old, unit)
})

/** The small printers omit the list of units from `ams` when only its own values changed. */
function amsChanges (before: unknown, now: unknown): Json {
  if (!isJson(before) || !isJson(now)) return isJson(now) ? now : {}
  const { ams, ...root } = changed(before, now)
  const units = ams === undefined ? [] : changedUnits(before.ams, now.ams)
  return units.length > 0 ? { ...root, ams: units } : root
}

const temperatures = (device: unknown): Json => {
  if (!isJson(device)) return {}
  const extruder = isJson(device.extruder) ? device.extruder : {}
  const tools = list(extruder.info).map(one => pick(one, ['id', 'temp']))
  return { device: { bed: device.bed, extruder: { info: tools } } }
}

const air = (ams: unknown): Json =>
  isJson(ams) ? { ams: { ams: list(ams.ams).map(unit => pick(unit, ['id', 'humidity', 'temp', 'tray'])) } } : {}

export function createReporter ({ machine, say, isHeard }: ReporterOptions): Reporter {
  const { traits } = machine
  let overlay: Json | undefined
  let rendered: Json | undefined
  let published: Json = {}
  let frames = 0
  let sequence = 400

  const compose = (): Json => {
    const next = render(machine)
    if (overlay === undefined) return next
    overlay = prune(overlay, rendered ?? next, next)
    rendered = next
    if (Object.keys(overlay).length > 0) return mergeDeep(next, overlay)
    overlay = undefined
    return next
  }

  const send = (document: Json, msg: number): void => {
    const id = traits.sequence ?? String(sequence++)
    say({ print: { command: 'push_status', msg, sequence_id: id, ...document } })
  }

  const full = (): void => {
    if (!isHeard()) return
    published = compose()
    send(published, FULL)
  }

  const increment = (): void => {
    const now = compose()
    const changes = changed(published, now)
    if ('ams' in changes) changes.ams = amsChanges(published.ams, now.ams)
    published = now
    if (Object.keys(changes).length > 0) send(changes, PARTIAL)
  }

  /** Between full reports the X1 sends a heartbeat, newer models send temperatures and the climate of the units. */
  const partial = (): void => {
    const now = compose()
    const base = pick(now, HEARTBEAT)
    if (traits.series === 'X1') send(base, FULL)
    else send({ ...base, ...temperatures(now.device), ...air(now.ams) }, PARTIAL)
  }

  const reportChanges = (): void => {
    if (!isHeard()) return
    if (traits.incremental) increment()
    else full()
  }

  return {
    current: compose,
    full,
    reportChanges,
    periodic () {
      if (!isHeard()) return
      frames++
      if (traits.partialEvery > 0 && frames % traits.partialEvery === 0) partial()
      else reportChanges()
    },
    reportFirst () {
      if (!traits.incremental) full()
      else if (isHeard()) send(pick(compose(), HEARTBEAT), PARTIAL)
    },
    patch (fields) {
      const rest = applyReportPatch(machine, fields)
      rendered = render(machine)
      if (Object.keys(rest).length > 0) overlay = mergeDeep(overlay ?? {}, rest)
      reportChanges()
    }
  }
}
