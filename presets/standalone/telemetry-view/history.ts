import type { Extruder, PrinterState } from '../../../core/index.js'
import { COLLECTION_NAMES, type CollectionName } from './collections.data.js'

/** A value of the report; undefined if the printer does not have it. */
export type Read = (state: PrinterState) => number | undefined

const RIGHT = 0
const LEFT = 1

const nozzle = ({ extruders }: PrinterState, id: number): number | undefined =>
  extruders.length < 2 ? undefined : extruders.find((extruder: Extruder) => extruder.id === id)?.temperature.actual

const READERS: Readonly<Record<CollectionName, Read>> = {
  tool: ({ heat }) => heat.nozzle.actual,
  bed: ({ heat }) => heat.bed.actual,
  chamber: ({ heat }) => heat.chamber.actual,
  fan: ({ fans }) => fans.part,
  aux_fan: ({ fans }) => fans.aux,
  exhaust_fan: ({ fans }) => fans.exhaust,
  heatbreak_fan: ({ fans }) => fans.heatbreak,
  tool_0: state => nozzle(state, RIGHT),
  tool_1: state => nozzle(state, LEFT)
}

export interface Point { readonly t: number, readonly v: number }

/** Minimum of visible seconds, and the step of the zoom. */
const STEP_S = 500
export const RETENTION_S = 3_600
const SAMPLE_EVERY_S = 2.5

/** Recorded values of one printer, and the zoom of each. */
export interface History {
  /** Increases with every visible change. */
  readonly version: number
  /** Adds a sample unless there is one for this time. */
  add (state: PrinterState): void
  /** Oldest first; times in s since the epoch. */
  points (name: CollectionName): readonly Point[]
  /** Time of the newest sample, s since the epoch; 0 without one. */
  readonly lastAt: number
  /** Visible seconds; 0 for all. */
  zoom (name: CollectionName): number
  zoomIn (name: CollectionName): void
  zoomOut (name: CollectionName): void
  /** Drops old values. @param now s since the epoch */
  prune (now: number): void
}

const record = <T>(make: (name: CollectionName) => T) =>
  Object.fromEntries(COLLECTION_NAMES.map(name => [name, make(name)])) as Record<CollectionName, T>

/** @param readers overrides of the default readers */
export function createHistory (readers: Partial<Record<CollectionName, Read>> = {}): History {
  const read = { ...READERS, ...readers }
  const points = record<Point[]>(() => [])
  const zooms = record(() => 0)
  let lastAt = 0
  let version = 0

  function trim (name: CollectionName, from: number, to: number): void {
    const list = points[name]
    const before = list.length
    while (list.length > 0 && (list[0]?.t ?? 0) < from) list.shift()
    while (list.length > 0 && (list.at(-1)?.t ?? 0) > to) list.pop()
    if (list.length !== before) version++
  }

  /** If the clock was set back, values from the future are dropped. */
  const prune = (from: number, to = Infinity) => { for (const name of COLLECTION_NAMES) trim(name, from, to) }

  const age = (name: CollectionName): number => (points[name].at(-1)?.t ?? 0) - (points[name][0]?.t ?? 0)

  function setZoom (name: CollectionName, seconds: number): void {
    zooms[name] = Math.trunc(seconds)
    version++
  }

  return {
    get version () { return version },
    get lastAt () { return lastAt },
    points: name => points[name],
    zoom: name => zooms[name],
    prune: now => prune(now - RETENTION_S),
    add (state) {
      const t = state.receivedAt / 1000
      if (t >= lastAt && t - lastAt < SAMPLE_EVERY_S) return
      if (t < lastAt) prune(0, t)
      lastAt = t
      for (const name of COLLECTION_NAMES) {
        const v = read[name](state)
        if (v !== undefined && Number.isFinite(v)) points[name].push({ t, v })
      }
      version++
      prune(t - RETENTION_S)
    },
    zoomIn (name) {
      if (age(name) < STEP_S) return
      const shown = zooms[name] === 0 ? Math.min(RETENTION_S, age(name)) : zooms[name]
      setZoom(name, Math.max(STEP_S, shown - STEP_S))
    },
    zoomOut (name) {
      const shown = zooms[name]
      if (shown === 0) return
      setZoom(name, shown + STEP_S >= age(name) ? 0 : shown + STEP_S)
    }
  }
}
