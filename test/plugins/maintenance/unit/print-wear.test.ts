import t from 'tap'
import type { PrinterState } from '../../../../core/index.js'
import type { PrintView } from '../../../../plugins/history/index.js'
import { abrasivePlaces, isAbrasive, printingSeconds, wearOf } from '../../../../plugins/maintenance/print-wear.js'

t.test('fibres, wood and what glows wear nozzles', async t => {
  const names = ['PLA', 'PLA-CF', 'PA6-GF', 'PETG-CF', 'PPA-CF', 'TPU', 'ABS', 'PLA Silk', 'PETG-rCF']
  t.same(names.filter(type => isAbrasive({ type })), ['PLA-CF', 'PA6-GF', 'PETG-CF', 'PPA-CF', 'PETG-rCF'])
  t.ok(isAbrasive({ type: 'PLA', catalogueId: 'GFA12' }), 'by the catalogue: PLA Glow')
  t.ok(isAbrasive({ type: 'PLA', label: 'PLA Wood' }), 'by its label')
  t.notOk(isAbrasive({ type: '' }))
})

t.test('a spool that wears nozzles is known by its place', async t => {
  const spool = (id: number, filamentId: string) => ({ id, amsId: 0, slot: id, present: true, type: 'PLA', subBrand: '', filamentId })
  const spools = [spool(0, 'GFA00'), spool(1, 'GFA12'), { ...spool(254, 'GFA16'), amsId: -1 }, { ...spool(2, 'GFA12'), present: false }]
  t.same([...abrasivePlaces({ spools, extruders: [{}] } as unknown as PrinterState)], ['ams 0 slot 1', 'external'])
})

t.test('time that no service saw counts as far as the plan has time left', async t => {
  const times = { printing_s: 100, unseen_s: 0, prepare_s: 10, planned_s: 1_000 }
  t.equal(printingSeconds(times), 100)
  t.equal(printingSeconds({ ...times, unseen_s: 300 }), 400)
  t.equal(printingSeconds({ ...times, unseen_s: 86_400 }), 990)
  t.equal(printingSeconds({ ...times, unseen_s: 86_400, planned_s: 0 }), 100, 'no plan: the printer may have been off')
})

t.test('unknown grams are left out, and places that were seen to be abrasive count', async t => {
  const filament = (place: string, grams: number | null) => ({ material: 'PLA', place, grams })
  const print = {
    id: 'p',
    serial: 's',
    started_at: 1,
    ended_at: 9,
    result: 'failed',
    printing_s: 60,
    unseen_s: 0,
    prepare_s: 0,
    planned_s: 0,
    filaments: [filament('ams 0 slot 0', 10), filament('ams 0 slot 1', 20), filament('', 5), filament('external', null)]
  } as unknown as PrintView
  const { print: row, filaments } = wearOf(print, new Set(['ams 0 slot 1']))
  t.match(row, { id: 'p', serial: 's', ended_at: 9, seconds: 60, failed: 1 })
  t.same(filaments.map(({ grams, abrasive }) => [grams, abrasive]), [[10, 0], [20, 1], [5, 0]])
})
