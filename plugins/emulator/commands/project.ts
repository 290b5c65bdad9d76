import { isJson, type Json } from '../json-merge.js'
import { ERROR } from '../machine/errors.js'
import { failJob, isBusy, refineJob, startJob, stopJob, USUAL_STAGES, type JobStart } from '../machine/job.js'
import { isHolder, LEFT_HOLDER, RIGHT_HOLDER, slotOf, unitOf } from '../machine/slots.js'
import type { JobPlan, Machine, Slot, Stage } from '../machine/types.js'
import { setField } from '../machine/bit-fields.js'
import { integer, text } from '../request.js'
import { done, refused, type Body, type Reply } from './reply.js'

const PLATE = /plate_(\d+)\.gcode$/
const STORED = /^(ftp|file|brtc|https?):\/\/\S/
const UNUSED = 255

interface Mapping {
  readonly slots: readonly (Slot | undefined)[]
  /** Error number that the printer shows after the preparation; 0 for none. */
  readonly failure: number
}

const fromPair = (pair: unknown): Slot | undefined => {
  if (!isJson(pair)) return undefined
  const ams = integer(pair.ams_id) ?? UNUSED
  const slot = integer(pair.slot_id) ?? UNUSED
  return slot === UNUSED ? undefined : { ams, slot }
}

/** Error for a holder in the flat list, or for the left holder of a printer without one; else 0. */
function misdirected (m: Machine, flat: readonly unknown[], pairs: readonly (Slot | undefined)[]): number {
  const holders = [LEFT_HOLDER, RIGHT_HOLDER]
  if (flat.some(value => holders.includes(integer(value) ?? -1))) {
    return m.traits.extruders === 2 ? ERROR.FLAT_MAPPING : ERROR.MAPPING
  }
  const left = pairs.some(slot => slot?.ams === LEFT_HOLDER)
  return left && m.traits.extruders === 1 ? ERROR.MAPPING : 0
}

/** Unless `use_ams` is exactly true, filament comes from the holder. */
const byHand = (slot: Slot): Slot => isHolder(slot) ? slot : { ams: RIGHT_HOLDER, slot: 0 }

/** The newer list of pairs takes precedence over the flat list. */
function readMapping (m: Machine, body: Body): Mapping {
  const flat = Array.isArray(body.ams_mapping) ? body.ams_mapping : []
  const pairs = Array.isArray(body.ams_mapping2) ? body.ams_mapping2.map(fromPair) : undefined
  const slots = pairs ?? flat.map(value => {
    const id = integer(value) ?? -1
    return id < 0 ? undefined : slotOf(id)
  })
  const isMissing = (slot: Slot): boolean => !isHolder(slot) && unitOf(m, slot.ams) === undefined
  if (body.use_ams !== true) return { slots: slots.map(slot => slot && byHand(slot)), failure: 0 }
  const missing = slots.some(slot => slot !== undefined && isMissing(slot))
  return { slots, failure: misdirected(m, flat, slots) || (missing ? ERROR.MAPPING : 0) }
}

const wants = (body: Body, key: string, otherwise: boolean): boolean =>
  typeof body[key] === 'boolean' ? body[key] === true : otherwise

/** Levelling, flow and vibration calibration depend on their flags. */
function stagesFor (m: Machine, body: Body): Stage[] {
  const levels = wants(body, 'bed_leveling', false) || (integer(body.auto_bed_leveling) ?? 0) > 0
  const usual = USUAL_STAGES.filter(({ code }) =>
    (code !== 1 || levels) && (code !== 8 || wants(body, 'flow_cali', false)))
  const sweep = wants(body, 'vibration_cali', false) ? [{ code: 3, ms: 20_000 }] : []
  const inspects = m.traits.series === 'X1' && wants(body, 'layer_inspect', false)
  const lidar = inspects ? [{ code: 9, ms: 10_000 }] : []
  return [...usual, ...sweep, ...lidar]
}

const baseName = (path: string): string => decodeURI(path).split('/').at(-1) ?? path

const jobName = (body: Body, url: string): string =>
  text(body.subtask_name) || baseName(url).replace(/\.3mf$/, '').replace(/\.gcode$/, '')

const idOf = (body: Body, key: string): string => text(body[key]) ?? '0'

/** The value of `gcode_file`: an inner path on the newer series, the archive on the small ones. */
const shownFile = (m: Machine, plate: number, url: string): string =>
  m.traits.modern ? `/data/Metadata/plate_${plate}.gcode` : baseName(url)

function describe (m: Machine, body: Body, plate: number, url: string): JobStart {
  const { slots, failure } = readMapping(m, body)
  return {
    name: jobName(body, url),
    file: shownFile(m, plate, url),
    plate,
    mapping: slots,
    stages: stagesFor(m, body),
    failure,
    ids: {
      subtaskId: idOf(body, 'subtask_id'),
      taskId: idOf(body, 'task_id'),
      projectId: idOf(body, 'project_id'),
      profileId: idOf(body, 'profile_id')
    }
  }
}

/** Starting a second job never works; on the A1 mini it also costs the first one. */
function turnAway (m: Machine): Reply {
  if (m.traits.model === 'A1_MINI') stopJob(m)
  m.printError = ERROR.BUSY
  return refused({ err_code: ERROR.BUSY })
}

/** A file that cannot be printed ends the job, regardless of its plan. */
function takeIn (m: Machine, plan: JobPlan): void {
  if (plan.failure !== undefined) return failJob(m, plan.failure)
  refineJob(m.job, plan)
}

/** Reading the file may take longer than accepting the job. */
function learn (m: Machine, body: Body): void {
  const plan = m.resolveJob?.(body)
  const { number } = m.job
  if (!(plan instanceof Promise)) return takeIn(m, plan ?? {})
  plan.then(known => {
    if (known !== undefined && m.job.number === number) takeIn(m, known)
  }, () => {})
}

const TIMELAPSE_BIT = 5

function showTimelapse (m: Machine, on: boolean): void {
  m.fields = { ...m.fields, ipcam: { ...m.fields.ipcam as Json, timelapse: on ? 'enable' : 'disable' } }
  setField(m, 'cfg', TIMELAPSE_BIT, 1, on ? 1 : 0)
}

/** `print.project_file`: starts a sliced file that lies on the printer. */
export function projectFile (m: Machine, body: Body): Reply {
  const plate = integer(PLATE.exec(text(body.param) ?? '')?.[1])
  const url = text(body.url) ?? ''
  if (isBusy(m)) return turnAway(m)
  if (plate === undefined || !STORED.test(url)) return refused({ reason: 'invalid parameter' })
  if (body.use_ams === true && m.ams.units.length === 0) return refused({ reason: 'no ams' })
  startJob(m, describe(m, body, plate, url))
  learn(m, body)
  if (typeof body.timelapse === 'boolean') showTimelapse(m, body.timelapse)
  return done({ reason: 'success' })
}
