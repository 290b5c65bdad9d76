import { isJson } from '../../json-merge.js'
import { isBusy, isPrinting, progress } from '../../machine/job.js'
import { isPresent, trayOf } from '../../machine/slots.js'
import type { Machine } from '../../machine/types.js'
import type { CameraFaultInjector, PrintFailure } from '../camera-fault-injector.js'
import type { Colour } from './canvas.js'

/** The visible state at one moment. */
export interface Scene {
  readonly isLit: boolean
  /** Height of the nozzle, mm. */
  readonly printedMm: number
  /** Height of the part, mm; less once it has come loose. */
  readonly partMm: number
  readonly colour: Colour
  /** Position of the nozzle over the plate, 0 to 1; undefined while it is parked. */
  readonly head: { readonly u: number, readonly v: number } | undefined
  /** 0 for no tangle, 1 for the largest. */
  readonly tangle: number
  /** How the print fails, from which height on, and the progress of the failure, 0 to 1. */
  readonly failure: { readonly kind: PrintFailure, readonly fromMm: number, readonly share: number } | undefined
  /** Picks the shape of part and tangle. */
  readonly seed: number
  /** Wall time, ms. */
  readonly at: number
}

const LAYER_MM = 0.2
/** Small jobs are drawn taller than they are, so that they are visible. */
const HEIGHT_MM = { least: 40, most: 200 }
const PLASTIC: Colour = [52, 132, 92]
/** A tangle is full-grown after this share of the job. */
const TANGLE_SHARE = 0.25
const TANGLE_START = 0.15
/** Radius of the head's way around the part, of the plate's width. */
export const PART_RADIUS = 0.17

const hex = (text: string, at: number): number => Number.parseInt(text.slice(at, at + 2), 16)

/** Colour of the filament at the nozzle. Pure black and white would hide its shape. */
function colourOf (m: Machine): Colour {
  const slot = m.extruders.find(({ id }) => id === m.tool.current)?.loaded ?? m.job.mapping.find(Boolean)
  const tray = slot === undefined ? undefined : trayOf(m, slot)
  const text = tray !== undefined && isPresent(tray) ? String(tray.tray_color) : ''
  if (!/^[0-9a-f]{6}/i.test(text)) return PLASTIC
  return [hex(text, 0), hex(text, 2), hex(text, 4)].map(part => 30 + part * 0.8) as unknown as Colour
}

function isLit ({ fields }: Machine): boolean {
  const lights = Array.isArray(fields.lights_report) ? fields.lights_report : []
  return lights.some(light => isJson(light) && /^chamber_light/.test(String(light.node)) && light.mode !== 'off')
}

/** Position of the head: around the wall, with a wave for the infill. */
function headAt (ms: number): { u: number, v: number } {
  const angle = ms / 1300
  const reach = PART_RADIUS * (0.55 + 0.45 * Math.cos(ms / 410))
  return { u: 0.5 + reach * Math.cos(angle), v: 0.5 + reach * Math.sin(angle) }
}

/** Failures in which the part continues to grow. */
const GROWS: ReadonlySet<PrintFailure> = new Set(['shift', 'warped'])
/** Amount of loose filament by failure. */
const STRANDS: Partial<Record<PrintFailure, number>> = { spaghetti: 1, detached: 0.5 }

/**
 * Reads the machine.
 *
 * @param fails how the print fails, and from which share of the job on; undefined when it goes well
 */
export function sceneOf (m: Machine, fails: CameraFaultInjector['printFailure'], now: number): Scene {
  const { job } = m
  const done = job.state === 'IDLE' ? 0 : progress(job)
  const full = Math.min(HEIGHT_MM.most, Math.max(HEIGHT_MM.least, job.layers * LAYER_MM))
  const since = fails && (isBusy(m) || done > 0) ? Math.max(0, done - fails.from) : 0
  const share = since > 0 ? Math.min(1, TANGLE_START + since / TANGLE_SHARE) : 0
  return {
    isLit: isLit(m),
    printedMm: done * full,
    partMm: (fails && !GROWS.has(fails.kind) ? Math.min(done, fails.from) : done) * full,
    colour: colourOf(m),
    head: isPrinting(m) && m.ams.change === undefined ? headAt(now) : undefined,
    tangle: fails ? share * (STRANDS[fails.kind] ?? 0) : 0,
    failure: fails && share > 0 ? { kind: fails.kind, fromMm: fails.from * full, share } : undefined,
    seed: job.number,
    at: now
  }
}
