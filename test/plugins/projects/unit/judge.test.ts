import t from 'tap'
import { loadPalette } from '../../../../plugins/filament/index.js'
import {
  FINDING_CODES, isImpossible, isMismatch, judgeMapping, type FindingCode, type WantedFilament
} from '../../../../plugins/projects/mapping/judge.js'
import type { Tray } from '../../../../plugins/projects/mapping/trays.js'
import { mappingWords } from '../../../../plugins/projects/mapping/filament-source.js'

const RED = '#FF0000'
const BLUE = '#0000FF'
const BAMBU_RED = '#C12E1F'

const filament = (id: number, more: Partial<WantedFilament> = {}): WantedFilament =>
  ({ id, type: 'PLA', color: RED, extruder: undefined, ...more })

const tray = (trayId: number, { color = RED, ...more }: Partial<Tray> = {}): Tray => ({
  trayId,
  amsId: trayId >> 2,
  slot: trayId & 3,
  name: `tray ${trayId}`,
  isHolder: false,
  present: true,
  type: 'PLA',
  label: more.type ?? 'PLA',
  catalogueId: '',
  color,
  colors: color === '' ? [] : [color],
  extruder: undefined,
  remainingG: undefined,
  isDrying: false,
  ...more
})

const holder = (trayId: number, more: Partial<Tray> = {}): Tray =>
  tray(trayId, { amsId: trayId, slot: 0, name: 'holder', isHolder: true, ...more })

interface Row {
  readonly what: string
  readonly filaments?: readonly WantedFilament[]
  readonly mapping?: readonly number[]
  readonly trays?: readonly Tray[]
  readonly dual?: boolean
  readonly codes: readonly FindingCode[]
  readonly says?: RegExp
}

const ROWS: readonly Row[] = [
  { what: 'all is well', codes: [] },
  { what: 'PETG on a PLA plate', trays: [tray(0, { type: 'PETG' })], codes: ['material_mismatch'], says: /is PLA, but tray 0 holds PETG/ },
  { what: 'PLA on a PETG plate', filaments: [filament(1, { type: 'PETG' })], codes: ['material_mismatch'] },
  { what: 'carbon fibre', trays: [tray(0, { type: 'PLA-CF' })], codes: ['material_variant'] },
  { what: 'support material', trays: [tray(0, { type: 'PLA-S' })], codes: ['material_variant'] },
  { what: 'support material, told by the catalogue only', trays: [tray(0, { catalogueId: 'GFS02' })], codes: ['material_variant'] },
  { what: 'PVA for PLA', trays: [tray(0, { type: 'PVA' })], codes: ['material_mismatch'] },
  { what: 'a tray of no known material', trays: [tray(0, { type: '', color: '' })], codes: ['unknown_material'], says: /check that it is PLA/ },
  { what: 'a material of no known name', trays: [tray(0, { type: 'Mystery' })], codes: ['unknown_material'], says: /Mystery .* can stand in for PLA/ },
  { what: 'a filament without a material', filaments: [filament(1, { type: '' })], trays: [tray(0, { type: 'PETG' })], codes: ['unknown_material'], says: /does not say/ },
  { what: 'a plate that says nothing', filaments: [], codes: ['unknown_material'], says: /which filaments/ },
  { what: 'another colour', trays: [tray(0, { color: BLUE })], codes: ['colour_distance'], says: /#FF0000, but tray 0 holds #0000FF/ },
  { what: "the vendor's shade of a colour", trays: [tray(0, { color: BAMBU_RED })], codes: [] },
  { what: 'orange for red', trays: [tray(0, { color: '#FF6A13' })], codes: ['colour_distance'] },
  { what: 'a spool of several colours', trays: [tray(0, { color: BLUE, colors: [BLUE, RED] })], codes: [] },
  { what: 'a spool without a colour', trays: [tray(0, { color: '' })], codes: [] },
  { what: 'a filament without a colour', filaments: [filament(1, { color: '' })], codes: [] },
  { what: 'the wrong nozzle', dual: true, filaments: [filament(1, { extruder: 1 })], trays: [tray(0, { extruder: 0 })], codes: ['nozzle_side_mismatch'], says: /for the left nozzle, but tray 0 feeds the right one/ },
  { what: 'the right nozzle', dual: true, filaments: [filament(1, { extruder: 0 })], trays: [tray(0, { extruder: 0 })], codes: [] },
  { what: 'a unit that feeds any nozzle', dual: true, filaments: [filament(1, { extruder: 1 })], codes: [] },
  { what: 'the holder of the other nozzle', dual: true, filaments: [filament(1, { extruder: 1 })], mapping: [255], trays: [holder(255, { extruder: 0 })], codes: ['nozzle_side_mismatch'] },
  { what: 'enough left', filaments: [filament(1, { grams: 20 })], trays: [tray(0, { remainingG: 20 })], codes: [] },
  { what: 'too little left', filaments: [filament(1, { grams: 20.25 })], trays: [tray(0, { remainingG: 20 })], codes: ['not_enough_filament'], says: /needs 20.3 g from tray 0, where about 20 g are left/ },
  { what: 'nothing left', filaments: [filament(1, { grams: 1 })], trays: [tray(0, { remainingG: 0 })], codes: ['not_enough_filament'] },
  { what: 'nobody knows what is left', filaments: [filament(1, { grams: 900 })], codes: [] },
  { what: 'nobody knows what is needed', trays: [tray(0, { remainingG: 1 })], codes: [] },
  { what: 'together too little left, said once', filaments: [filament(1, { grams: 15 }), filament(2, { grams: 15 })], mapping: [0, 0], trays: [tray(0, { remainingG: 20 })], codes: ['not_enough_filament'], says: /needs 30 g/ },
  { what: 'a dryer that is running', trays: [tray(0, { isDrying: true })], codes: ['dryer_running'] },
  { what: 'no tray', mapping: [-1], codes: ['filament_unmapped'] },
  { what: 'a mapping that is too short', filaments: [filament(1), filament(2)], codes: ['filament_unmapped'], says: /filament 2/ },
  { what: 'a tray that is not there', mapping: [9], codes: ['unknown_tray'] },
  { what: 'an empty tray', trays: [tray(0, { present: false, type: '', color: '' })], codes: ['empty_tray'] },
  { what: 'the holder, of which nothing is known', mapping: [254], trays: [holder(254, { type: '', color: '' })], codes: ['external_holder'] },
  { what: 'the only holder under its other number', mapping: [255], trays: [holder(254, { type: 'PETG' })], codes: ['material_mismatch'] },
  { what: 'a holder that is not reported', mapping: [254], codes: ['external_holder'] },
  { what: 'what nobody uses may point anywhere', filaments: [filament(3)], mapping: [9, 9, 0], codes: [] },
  { what: 'everything at once', filaments: [filament(1, { grams: 9 })], trays: [tray(0, { type: 'PETG', color: BLUE, remainingG: 1, isDrying: true })], codes: ['material_mismatch', 'colour_distance', 'not_enough_filament', 'dryer_running'] }
]

const { difference } = await loadPalette()

for (const { what, filaments = [filament(1)], mapping = [0], trays = [tray(0)], dual = false, codes, says } of ROWS) {
  t.test(what, async t => {
    const findings = judgeMapping({ filaments, mapping, trays, dual, difference })
    t.same(findings.map(({ code }) => code), codes)
    if (says) t.match(findings[0]?.message, says)
  })
}

t.test('a finding names filament and tray', async t => {
  const [finding] = judgeMapping({
    filaments: [filament(2)], mapping: [-1, 5], trays: [tray(5, { type: 'ABS' })], dual: false, difference
  })
  t.match(finding, { code: 'material_mismatch', filament: 2, tray: 5 })
})

t.test('what refuses always, what refuses until it is accepted, and what never does', async t => {
  const codes = (test: typeof isMismatch) =>
    FINDING_CODES.filter(code => test({ code, filament: 1, tray: 0, message: '', figures: {} }))
  t.same(codes(isImpossible), ['filament_unmapped', 'unknown_tray', 'empty_tray'])
  t.same(codes(isMismatch), ['material_mismatch', 'nozzle_side_mismatch', 'colour_distance', 'plate_used'])
})

t.test('in words', async t => {
  const words = mappingWords({
    filaments: [filament(1), filament(2, { type: '', color: '' }), filament(3), filament(4), filament(5)],
    mapping: [0, 1, -1, 9, 254],
    trays: [
      tray(0, { name: 'AMS A · slot 1', label: 'PLA Basic', color: BAMBU_RED }),
      tray(1, { name: 'AMS A · slot 2', present: false })
    ],
    dual: false,
    nameOf: color => color === RED ? 'red' : 'firebrick'
  })
  t.same(words, [
    'Filament 1 (PLA, red #FF0000) → AMS A · slot 1 (PLA Basic, firebrick #C12E1F)',
    'Filament 2 (unknown material) → AMS A · slot 2 (empty)',
    'Filament 3 (PLA, red #FF0000) → no tray',
    'Filament 4 (PLA, red #FF0000) → tray 9 (not there)',
    'Filament 5 (PLA, red #FF0000) → the external holder (unknown material)'
  ])
})
