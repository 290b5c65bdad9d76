import type { Test } from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import {
  createManualClock, createVirtualPrinter, type ManualClock, type ModelName, type VirtualPrinter
} from '../../../plugins/emulator/index.js'
import spools from '../../../plugins/spools/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { recordedWith } from '../history/preset.js'
import { slicer, startOf } from '../history/slicer.js'
import { entryOf } from '../queue/helpers.js'

const WITHIN_MS = 120_000
const CUBE = '/calibration-cube.gcode.3mf'
const CUBE_G = 4.1
const LAYERS = 100
/** How far half a print may be off: the layers between two reports. */
const NEAR_G = 0.6
/** Time of the printer between two reports, and with each look. */
const REPORT_MS = 30_000
const STEP_MS = 60_000
const MOMENT_MS = 2_000
const LAYERS_A_REPORT = 3
const LOOK_EVERY_MS = 250

/** Models that have no virtual printer of their own, as the one that is built most like them. */
const STAND_INS: Readonly<Record<string, ModelName>> = { H2C: 'H2D', A2L: 'A1' }
const TABLE = MODELS.map(({ model, serialPrefixes: [prefix = ''] }) =>
  ({ name: model, model: STAND_INS[model] ?? model as ModelName, serial: `${prefix}00A000000001` }))

/** How a print begins: what the service sent, what the answer to a slicer repeats, or nothing but the place in use. */
export type Way = 'ours' | 'slicer' | 'screen'
const COLOUR = '112233FF'

type Body = any
interface Desk { readonly printer: VirtualPrinter, readonly clock: ManualClock }

/** Two slots with the same filament, so that one is the backup of the other. */
function load ({ printer }: Desk): void {
  const tray = {
    tray_info_idx: 'GFL99',
    tray_type: 'PLA',
    tray_sub_brands: '',
    tray_color: COLOUR,
    cols: [COLOUR],
    tag_uid: '0000000000000000',
    tray_uuid: '00000000000000000000000000000000',
    nozzle_temp_min: '190',
    nozzle_temp_max: '240'
  }
  printer.patch({ ams: { ams: [{ id: '0', tray: ['0', '1'].map(id => ({ id, ...tray })) }] } })
}

const newestOf = async ({ http }: Booted, { printer }: Desk): Promise<Body> =>
  (await http('GET', '/api/history', { printer_name: printer.name })).body.prints[0] as Body

/** What the service has seen last. */
const seenOf = ({ kernel }: Booted, { printer }: Desk) => {
  const state = kernel.printers.get(printer.name)?.state
  return { layer: state?.job.layer ?? 0, slot: state?.activeTray.slot }
}

/** Lets the printer live until it is as wanted: no faster than the service sees it. */
async function until (booted: Booted, desk: Desk, stepMs: number, test: () => unknown): Promise<void> {
  await eventually(async () => {
    const { printer, clock } = desk
    const hasSeen = seenOf(booted, desk).layer + LAYERS_A_REPORT >= Number(printer.report().layer_num)
    if (hasSeen) clock.advance(stepMs)
    if (await test()) return true
    const { gcode_state: state, layer_num: layer, print_error: error } = printer.report()
    throw new Error(`${printer.name}: ${JSON.stringify({ state, layer, error })}, not ${test.toString()}`)
  }, WITHIN_MS, LOOK_EVERY_MS)
}

async function begin (t: Test, booted: Booted, desk: Desk, way: Way): Promise<void> {
  const { printer } = desk
  const send = await slicer(t, printer)
  await send({ command: 'print_option', auto_switch_filament: true })
  if (way === 'screen') {
    printer.startJob({ name: 'calibration-cube', layers: LAYERS, minutes: 24, filament: { ams: 0, slot: 0 } })
  } else if (way === 'slicer') {
    await send(startOf(CUBE, { use_ams: true, ams_mapping: [0], ams_mapping2: [{ ams_id: 0, slot_id: 0 }] }))
  } else {
    const start = { printer: printer.name, filename: CUBE, use_ams: true, ams_mapping: '[0]', accept_mismatch: true }
    let answer: Body
    void booted.http('POST', '/api/print_3mf', start).then(given => { answer = given })
    await until(booted, desk, MOMENT_MS, () => answer)
    t.equal(answer.status, 200, `${printer.name}: ${JSON.stringify(answer.body)}`)
  }
}

/** In the middle of it another spool takes over. @returns how much the first one gave, as layers */
async function changesOver (t: Test, booted: Booted, desk: Desk, way: Way): Promise<number> {
  await begin(t, booted, desk, way)
  await until(booted, desk, MOMENT_MS, async () => {
    const print = await newestOf(booted, desk)
    return print?.result === 'running' && print.project_path !== ''
  })
  await until(booted, desk, STEP_MS, () => seenOf(booted, desk).layer >= LAYERS / 2)
  const layer = Number(desk.printer.report().layer_num)
  desk.printer.runOut()
  await until(booted, desk, STEP_MS, () => seenOf(booted, desk).slot === 1 && seenOf(booted, desk).layer > layer + 2)
  return layer
}

/** What a spool with a tag had given before is the printer's to say; these have none. */
async function isBooked ({ http }: Booted, { printer }: Desk, filament: Body): Promise<true> {
  const { place, grams } = filament
  const { spools, slots } = (await http('GET', '/api/spools')).body as Body
  const slot = slots.find((slot: Body) => slot.printer === printer.name && slot.place === place)
  const spool = spools.find(({ id }: Body) => id === slot?.spool)
  if (Math.abs(spool?.used_g - grams) < 0.02) return true
  throw new Error(`${printer.name}: ${JSON.stringify({ filament, slot, spool, spools })}`)
}

async function ends (t: Test, booted: Booted, desk: Desk, layer: number): Promise<void> {
  const { printer } = desk
  await until(booted, desk, STEP_MS, async () => (await newestOf(booted, desk)).result === 'finished')
  const { filaments } = await newestOf(booted, desk)
  t.same(filaments.map(({ place }: Body) => place), ['ams 0 slot 0', 'ams 0 slot 1'], printer.name)
  const [first, second] = filaments.map(({ grams }: Body) => grams)
  t.ok(Math.abs(first + second - CUBE_G) < 0.02, `${printer.name}: ${first} + ${second} g`)
  t.ok(Math.abs(first - CUBE_G * layer / LAYERS) < NEAR_G, `${printer.name}: ${first} g in ${layer} layers`)
  await eventually(() => isBooked(booted, desk, filaments[1]), WITHIN_MS)
}

const WAYS: readonly Way[] = ['ours', 'slicer', 'screen']
/** One with a single nozzle and one with two; the others of the table begin in one way each. */
const IN_ALL_WAYS = new Set(['X1C', 'H2D'])
/** The rack of an H2C is not known, and the cube is not sliced for an A2L: no start of ours. */
const wayOf = (model: string, at: number) => STAND_INS[model] === undefined ? WAYS[at % WAYS.length] : 'screen'

/** What each spool gave is booked to it, over a change and a restart in mid-print. */
export async function bookedInEveryModel (t: Test, way: Way): Promise<void> {
  const desks = TABLE.filter(({ name }, at) => IN_ALL_WAYS.has(name) || wayOf(name, at) === way).map((model): Desk => {
    const clock = createManualClock()
    const options = { ...model, clock, reportEveryMs: REPORT_MS, sdCard: { samples: true } }
    return { clock, printer: createVirtualPrinter(options) }
  })
  for (const desk of desks) {
    load(desk) // before the service sees the spools with tags that are in them
    await desk.printer.start()
    t.teardown(() => desk.printer.stop())
  }
  const config = { dataDir: testFolder(t), printers: desks.map(({ printer }) => entryOf(printer)) }
  const service = async () => {
    const booted = await boot(t, { preset: recordedWith(spools), models: [], config })
    await eventually(() => desks.every(({ printer, clock }) => {
      clock.advance(MOMENT_MS)
      return booted.kernel.printers.get(printer.name)?.live
    }), WITHIN_MS)
    return booted
  }
  const before = await service()
  const layers = await Promise.all(desks.map(desk => changesOver(t, before, desk, way)))
  await before.close()
  const after = await service()
  await Promise.all(desks.map((desk, at) => ends(t, after, desk, layers[at] ?? 0)))
}
