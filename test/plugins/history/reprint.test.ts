import t, { type Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import type { Print } from './prints.js'
import { recordedWith } from './preset.js'
import { slicer, startOf } from './slicer.js'

const WITHIN_MS = 100_000
const CUBE = '/calibration-cube.gcode.3mf'
const TRAYS = '/desk-organiser.gcode.3mf'
const PAIRS = [{ ams_id: 0, slot_id: 1 }, { ams_id: 255, slot_id: 0 }]

/** A printer of its own for each case: all of them print at the same time. */
const MODELS = {
  'slicer-a1': 'A1',
  'slicer-mini': 'A1_MINI',
  'slicer-p1s': 'P1S',
  'slicer-p1p': 'P1P',
  'slicer-x1c': 'X1C',
  screen: 'A1',
  several: 'A1',
  holder: 'P1S',
  mixed: 'P1S',
  bare: 'P1P'
} as const
type Name = keyof typeof MODELS

const newest = async ({ http }: Booted, name: Name): Promise<Print | undefined> =>
  ((await http('GET', '/api/history', { printer_name: name })).body as { prints: Print[] }).prints[0]

const sent = ({ requests }: VirtualPrinter) =>
  requests.flatMap(({ body }) => body.command === 'project_file' ? [body] : [])

const places = ({ filaments }: Print) => (filaments as { place: string }[]).map(({ place }) => place)

/** What one case needs of its own printer. */
function deskOf (booted: Booted, name: Name) {
  const printer = booted.printers.find(printer => printer.name === name) as VirtualPrinter
  return {
    printer,
    /** Runs until its project is known and some layers are done, then it is stopped. */
    async cut (): Promise<Print> {
      await eventually(async () => {
        const print = await newest(booted, name)
        return print !== undefined && print.project_path !== '' && Number(print.layer) > 2
      }, WITHIN_MS)
      printer.stopJob()
      await eventually(async () => (await newest(booted, name))?.result !== 'running', WITHIN_MS)
      return await newest(booted, name) as Print
    },
    again: ({ id }: Print, more: Record<string, unknown> = {}) =>
      booted.http('POST', `/api/history/${id}/reprint`, { accept_mismatch: true, ...more })
  }
}
type Desk = ReturnType<typeof deskOf>

/** What a slicer started is printed again from the spools that it named. */
async function asNamed (t: Test, { printer, cut, again }: Desk): Promise<void> {
  const send = await slicer(t, printer)
  await send(startOf(CUBE, { use_ams: true, ams_mapping: [1] }))
  const print = await cut()
  t.same(places(print), ['ams 0 slot 1'])
  t.match(await again(print), { status: 200, body: { mapping: '[1]' } })
  t.match(sent(printer)[1], { use_ams: true, ams_mapping: [1] })
}

const CASES: Readonly<Record<Name, (t: Test, desk: Desk, booted: Booted) => Promise<void>>> = {
  'slicer-a1': asNamed,
  'slicer-mini': asNamed,
  'slicer-p1s': asNamed,
  'slicer-p1p': asNamed,
  'slicer-x1c': asNamed,

  /** Without a mapping, the one place that the only filament came from is certain. */
  async screen (t, { printer, cut, again }) {
    printer.startJob({ name: 'calibration-cube', layers: 20, minutes: 60, filament: { ams: 0, slot: 1 } })
    t.match(await again(await cut()), { status: 200, body: { mapping: '[1]' } })
    t.match(sent(printer), [{ use_ams: true, ams_mapping: [1] }])
  },

  /** Several filaments of which nobody knows the slots are asked for, and nothing is sent. */
  async several (t, { printer, cut, again }, { tool }) {
    const filament = [{ ams: 0, slot: 1 }, { ams: 0, slot: 2 }]
    printer.startJob({ name: 'desk-organiser', plate: 2, layers: 20, minutes: 60, filament })
    const print = await cut()
    t.match(print, { plate: -1, filaments: [] }, 'of several plates none is guessed')
    t.match(await again(print), { status: 409, body: { error: 'reprint_plate', file: TRAYS, printer: 'several' } })
    t.match(await again(print, { plate: 2 }),
      { status: 409, body: { error: 'reprint_spools', reason: /ams_mapping/, file: TRAYS, plate: 2, printer: 'several' } })
    const refused = await tool('reprint', { id: print.id, plate: 2, user_permission: true })
    t.match(refused.value, { error: 'reprint_spools' })
    t.match(await again(print, { plate: 2, ams_mapping: '[99' }), { status: 400 })
    t.match(await again(print, { plate: 2, use_ams: true }), { status: 409 })
    t.same(sent(printer), [])
    t.match(await again(print, { plate: 2, ams_mapping: '[1, 2]' }), { status: 200, body: { mapping: '[1, 2]' } })
    t.match(sent(printer), [{ param: 'Metadata/plate_2.gcode', use_ams: true, ams_mapping: [1, 2] }])
  },

  async holder (t, { printer, cut, again }) {
    const send = await slicer(t, printer)
    await send(startOf(CUBE, { use_ams: false, ams_mapping: [-1] }))
    t.match(await again(await cut()), { status: 200 })
    t.match(sent(printer)[1], { use_ams: false, ams_mapping: [-1] })
  },

  /** Slots and the holder in one print. */
  async mixed (t, { printer, cut, again }) {
    const send = await slicer(t, printer)
    await send(startOf(TRAYS, { param: 'Metadata/plate_2.gcode', use_ams: true, ams_mapping: [1, -1], ams_mapping2: PAIRS }))
    const print = await cut()
    t.same(places(print), ['ams 0 slot 1', 'external'])
    const answer = await again(print)
    t.equal(answer.status, 200, JSON.stringify(answer.body))
    t.match(sent(printer)[1], { use_ams: true, ams_mapping: [1, -1], ams_mapping2: PAIRS })
  },

  /** Without an AMS there is nothing to be asked. */
  async bare (t, { printer, cut, again }) {
    printer.startJob({ name: 'calibration-cube', layers: 20, minutes: 60 })
    t.match(await again(await cut()), { status: 200 })
    t.match(sent(printer), [{ use_ams: false, ams_mapping: [-1] }])
  }
}

t.test('a print of elsewhere is printed again from the spools that it certainly had, or asked for', async t => {
  const models = Object.entries(MODELS).map(([name, model]) => ({
    model, name, speed: 40, reportEveryMs: 400, sdCard: { samples: true }, ...(name === 'bare' && { ams: [] })
  }))
  const booted = await boot(t, { preset: recordedWith(), models })
  t.jobs = models.length
  await Promise.all(Object.entries(CASES).map(async ([name, check]) => {
    await t.test(name, { buffered: true }, t => check(t, deskOf(booted, name as Name), booted))
  }))
})
