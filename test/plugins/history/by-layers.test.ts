import t, { type Test } from 'tap'
import { createManualClock, createVirtualPrinter, type ManualClock, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import spools from '../../../plugins/spools/index.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { make3mf } from '../projects/make-3mf.js'
import { entryOf } from '../queue/helpers.js'
import { plateText } from '../toolpath/plate-text.js'
import { recordedWith } from './preset.js'
import { slicer, startOf } from './slicer.js'

const WITHIN_MS = 60_000
const LOOK_EVERY_MS = 50
const LAYERS = 20
/** Layer at which the prints are cancelled: the second half uses half as much filament a layer as the first. */
const LAST = 12
/** Filament that the slicer plans, as make3mf writes it. */
const PLANNED_G = 1.5
const FILE = '/steps.gcode.3mf'

/** One filament, and enough of it to be weighed. */
const GCODE = plateText({ layers: LAYERS }).split('\n').filter(line => !/^(M620|T1|G1 E8|M621)/.test(line)).join('\n')
  .replaceAll(' E.8', ' E40')
const PLATE = make3mf([{
  number: 1,
  filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
  metadata: { printer_model_id: 'BL-P001', nozzle_diameters: '0.4', prediction: '600', weight: '1.5' },
  gcode: GCODE
}])

/** g, by adding up what the text says: all layers before the one in progress, and half of that. */
function gramsUntil (layer: number): number {
  const parts = GCODE.split('; CHANGE_LAYER').map(part =>
    [...part.matchAll(/ E(-?[\d.]+)/g)].reduce((sum, [, mm]) => sum + Number(mm), 0))
  const mm = parts.slice(0, layer).reduce((sum, part) => sum + part, 0) + (parts[layer] ?? 0) / 2
  return mm * Math.PI * (1.75 / 2) ** 2 * 1.24 / 1_000
}
const share = (layer: number) => 100 * gramsUntil(layer) / gramsUntil(LAYERS + 1)

type Body = any
const NAMES = ['ours', 'slicer', 'deleted', 'lost', 'late'] as const
type Name = (typeof NAMES)[number]
interface Desk { readonly printer: VirtualPrinter, readonly clock: ManualClock }

async function desks (t: Test): Promise<Readonly<Record<Name, Desk>>> {
  const made = await Promise.all(NAMES.map(async name => {
    const clock = createManualClock()
    const printer = createVirtualPrinter({ model: 'X1C', name, clock, reportEveryMs: 1_000 })
    t.teardown(() => printer.stop())
    await printer.start()
    if (name !== 'lost') await printer.card.put(FILE, PLATE)
    return [name, { printer, clock }] as const
  }))
  return Object.fromEntries(made) as Record<Name, Desk>
}

const newestOf = async ({ http }: Booted, { printer }: Desk): Promise<Body> =>
  (await http('GET', '/api/history', { printer_name: printer.name })).body.prints[0]

/** Lets a printer live until it is as wanted. */
const until = (desk: Desk, test: () => unknown, stepMs = 2_000) => eventually(async () => {
  desk.clock.advance(stepMs)
  return await test()
}, WITHIN_MS, LOOK_EVERY_MS)

/** Prints up to the last layer, as the service sees it. */
async function printOn ({ kernel }: Booted, desk: Desk): Promise<void> {
  const seen = () => kernel.printers.get(desk.printer.name)?.state?.job.layer ?? 0
  await until(desk, () => seen() >= LAST, 6_000)
}

/** @returns the print, once it is recorded as cancelled with all of its grams */
async function cancelled (booted: Booted, desk: Desk): Promise<Body> {
  desk.printer.stopJob()
  await until(desk, async () => {
    const { result, grams_open_until: open } = await newestOf(booted, desk)
    return result === 'cancelled' && open === null
  })
  return await newestOf(booted, desk)
}

const usedIn = async ({ http }: Booted, { printer }: Desk): Promise<readonly number[]> => {
  const { spools, slots } = (await http('GET', '/api/spools')).body as Body
  const own = slots.filter((slot: Body) => slot.printer === printer.name && slot.spool !== null)
  return own.map(({ spool }: Body) => spools.find(({ id }: Body) => id === spool)?.used_g)
}

async function isCountedByLayers (t: Test, booted: Booted, desk: Desk, print: Body): Promise<void> {
  const { name } = desk.printer
  t.equal(print.grams_open_until, null, name)
  t.ok(print.layer >= LAST && print.layer < LAYERS, `${name}: layer ${print.layer}`)
  t.match(print.filaments, [{ grams_basis: 'layers', filament: 1 }], name)
  const [{ grams, metres }] = print.filaments
  t.ok(Math.abs(grams - gramsUntil(print.layer)) < 0.02, `${name}: ${grams} g in ${print.layer} layers`)
  t.ok(Math.abs(metres - grams / 2.9826) < 0.02, `${name}: ${metres} m`)
  t.ok(Math.abs(print.layers_percent - share(print.layer)) < 0.1, `${name}: ${print.layers_percent} %`)
  t.ok(print.layers_percent > print.percent + 5, `${name}: not by time, which says ${print.percent} %`)
  await eventually(async () => {
    const used = await usedIn(booted, desk)
    if (used.some(one => Math.abs(one - grams) < 0.011)) return true
    throw new Error(`${name}: ${used.join()} g are counted, not ${grams}`)
  }, WITHIN_MS, LOOK_EVERY_MS)
}

/** Empty spools without tags, so that only what was counted here is used. */
function load ({ printer }: Desk): void {
  const none = { tag_uid: '0000000000000000', tray_uuid: '00000000000000000000000000000000' }
  const white = { tray_info_idx: 'GFL99', tray_type: 'PLA', tray_color: 'FFFFFFFF', cols: ['FFFFFFFF'], ...none }
  printer.patch({ ams: { ams: [{ id: '0', tray: [{ id: '0', ...white }] }] } })
}

function suite (t: Test, newDatabase: () => object): void {
  t.test('a print that did not finish has used the grams of its layers', async t => {
    const all = await desks(t)
    const config = {
      dataDir: testFolder(t),
      printers: NAMES.map(name => entryOf(all[name].printer)),
      plugins: { database: newDatabase() }
    }
    const start = async () => {
      const booted = await boot(t, { preset: recordedWith(toolpath, spools), models: [], config })
      await eventually(() => NAMES.every(name => {
        all[name].clock.advance(1_000)
        return booted.kernel.printers.get(name)?.live
      }), WITHIN_MS)
      return booted
    }
    for (const name of NAMES) load(all[name])
    const first = await start()
    const ours = (name: Name) => {
      const answer = first.http('POST', '/api/print_3mf',
        { printer: name, filename: FILE, use_ams: true, ams_mapping: '[0]', accept_mismatch: true })
      let isOver = false
      void answer.then(({ status, body }) => { isOver = true; t.equal(status, 200, JSON.stringify(body)) })
      return until(all[name], () => isOver)
    }
    const elsewhere = async (name: Name) => {
      const send = await slicer(t, all[name].printer)
      await send(startOf(FILE, { use_ams: true, ams_mapping: [0], ams_mapping2: [{ ams_id: 0, slot_id: 0 }] }))
    }
    const hasProject = (name: Name) => until(all[name], async () =>
      (await newestOf(first, all[name]))?.project_path === FILE, 200)

    await t.test('if the service started it', async t => {
      await ours('ours')
      await printOn(first, all.ours)
      await isCountedByLayers(t, first, all.ours, await cancelled(first, all.ours))
    })

    await t.test('if others started it', async t => {
      await elsewhere('slicer')
      await hasProject('slicer')
      await printOn(first, all.slicer)
      await isCountedByLayers(t, first, all.slicer, await cancelled(first, all.slicer))
      const { text } = await first.http('GET', '/api/history/export', { printer_name: 'slicer' })
      const [head = '', line = ''] = text.split('\r\n')
      t.match(head, /,note,layers_percent,grams_basis,parts$/)
      t.match(line, new RegExp(`,${(await newestOf(first, all.slicer)).layers_percent},layers,$`))
    })

    await t.test('else by percent, if its file is gone before it could be read', async t => {
      await elsewhere('deleted')
      await hasProject('deleted')
      await all.deleted.printer.card.remove(FILE)
      await printOn(first, all.deleted)
      const { filaments: [filament], layers_percent: byLayers, percent } = await cancelled(first, all.deleted)
      t.match(filament, { grams_basis: 'scaled', grams: Math.round(PLANNED_G * percent) / 100 })
      t.equal(byLayers, null)
    })

    await t.test('and it is not known if its file was never on the card', async t => {
      all.lost.printer.startJob({ name: 'lost', layers: LAYERS, minutes: 10, filament: { ams: 0, slot: 0 } })
      await printOn(first, all.lost)
      const print = await cancelled(first, all.lost)
      t.match(print, { grams_open_until: null, layers_percent: null })
      t.same(print.filaments.filter(({ grams }: Body) => grams !== null), [])
    })

    await t.test('also if the service was off at the end', async t => {
      await elsewhere('late')
      await hasProject('late')
      await printOn(first, all.late)
      await first.close()
      all.late.printer.stopJob()
      all.late.clock.advance(60_000)
      const second = await start()
      await until(all.late, async () => {
        const { result, grams_open_until: open, layers_percent: percent } = await newestOf(second, all.late)
        return result === 'cancelled' && open === null && percent !== null
      })
      await isCountedByLayers(t, second, all.late, await newestOf(second, all.late))
      const { grams } = (await second.http('GET', '/api/history/statistics', { printer_name: 'late' })).body as Body
      const [{ grams: own }] = (await newestOf(second, all.late)).filaments
      t.equal(grams, own, 'statistics follow')
    })
  })
}

// Grams are counted before they are stored; what databases do with them, details.test.ts asks of both.
t.test('with SQLite', async t => suite(t, () => ({})))
