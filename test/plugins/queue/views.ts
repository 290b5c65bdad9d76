import { resolveModel } from '../../../core/index.js'
import { loadPalette } from '../../../plugins/filament/index.js'
import { SpoolFinder, type PrinterView, type View, type WaitingJob } from '../../../plugins/queue/decide/index.js'
import { NO_WARMING } from '../../../plugins/queue/soak/usual.js'
import type { Job, SlicedFile } from '../../../plugins/queue/types.js'
import type { Tray } from '../../../plugins/projects/index.js'

export const finder = async () => new SpoolFinder(await loadPalette())

export const tray = (trayId: number, type: string, color: string, rest: Partial<Tray> = {}): Tray => ({
  trayId,
  amsId: trayId >> 2,
  slot: trayId % 4,
  type,
  label: type,
  catalogueId: '',
  color,
  colors: color === '' ? [] : [color],
  extruder: undefined,
  name: `AMS slot ${trayId}`,
  isHolder: false,
  present: true,
  remainingG: undefined,
  isDrying: false,
  ...rest
})

const MODELS = { X1C: '00M', P1S: '01P', A1: '039' } as const

export function printerView (name: string, rest: Partial<PrinterView> = {}, model: keyof typeof MODELS = 'X1C'):
PrinterView {
  const job = { gcodeState: 'IDLE', percent: 0, remainingMinutes: 0, subtaskName: '' }
  const state = { extruders: [], device: { nozzleDiameterMm: 0.4 }, job, receivedAt: 0 } as unknown as PrinterView['machine']['state']
  return {
    machine: { name, model: resolveModel(`${MODELS[model]}00A000000001`), state },
    serial: name,
    problem: undefined,
    plate: 'clear',
    isPaused: false,
    groups: [],
    trays: [tray(0, 'PLA', '#FFFFFF')],
    dual: false,
    loadedTray: undefined,
    used: 0,
    ...rest
  }
}

export const slicedFile = (id: string, { type = 'PLA', color = '#FFFFFF', model = 'BL-P001', seconds = 600, grams = 5 } = {}):
SlicedFile => ({
  id,
  name: `${id}.gcode.3mf`,
  size: 1,
  addedAt: 0,
  addedBy: '',
  plates: [{
    number: 1,
    name: '',
    printable: true,
    filaments: [{ id: 1, type, color, grams }],
    filamentExtruders: [],
    physicalExtruders: [],
    nozzleDiametersMm: [0.4],
    printerModelId: model,
    seconds,
    grams
  }]
})

export function waitingJob (id: string, rest: Partial<Job> = {}, needs: Partial<Job['needs']> = {}): WaitingJob {
  const job: Job = {
    id,
    name: id,
    state: 'open',
    priority: 0,
    position: 0,
    alternatives: [{ file: 'a', plate: 1 }],
    copies: 1,
    taken: 0,
    finished: 0,
    notBefore: undefined,
    retries: 0,
    held: false,
    note: '',
    createdAt: 0,
    createdBy: '',
    endedAt: undefined,
    ...rest,
    needs: {
      printers: [],
      material: 'near',
      color: 'near',
      plateType: 'auto',
      leveling: true,
      flow: false,
      timelapse: false,
      allowLow: false,
      acceptFindings: [],
      endInHours: false,
      ...needs
    }
  }
  return { job, attempts: [] }
}

export function queueView (printers: readonly PrinterView[], jobs: readonly WaitingJob[], files: readonly SlicedFile[],
  rest: Partial<View> = {}): View {
  return {
    now: new Date(2026, 0, 5, 12).getTime(), // a Monday at noon
    isPaused: false,
    printers,
    jobs,
    files: new Map(files.map(file => [file.id, file])),
    present: new Set(files.map(({ id }) => id)),
    warming: NO_WARMING,
    retryMs: 60_000,
    ...rest
  }
}
