import t from 'tap'
import { mappingOf } from '../../../../plugins/projects/mapping/caller-mapping.js'
import { matchRecord, resolveMapping } from '../../../../plugins/projects/mapping/resolve.js'
import { score, verdictOf } from '../../../../plugins/projects/mapping/score.js'
import type { LoadedSpool } from '../../../../plugins/projects/mapping/trays.js'
import { wireMapping } from '../../../../plugins/projects/mapping/mqtt-mapping.js'
import { externalTrays } from '../../../../plugins/projects/read/external.js'
import type { Filament } from '../../../../plugins/projects/read/slice-info.js'

const COLORS: Readonly<Record<string, string>> =
  { red: '#FF0000', blue: '#0000FF', white: '#FFFFFF', black: '#000000', nearRed: '#FF0A0A', none: '' }

/** `1 PLA red`: id, type and colour, then maybe the entry of the catalogue. */
function filament (text: string): Filament {
  const [id, type = '', color = '', catalogueId = ''] = text.split(' ')
  return { id: Number(id), type: type === '?' ? '' : type, color: COLORS[color] ?? color, catalogueId }
}

/** `0 PLA red`: absolute tray, type and colour; after it the nozzle that its unit feeds, `L` or `R`, or its entry. */
function spool (text: string): LoadedSpool {
  const [tray, type = '', color = '', last] = text.split(' ')
  const side = last === 'L' || last === 'R' ? last : undefined
  const trayId = Number(tray)
  const place = trayId >= 128 ? { amsId: trayId, slot: 0 } : { amsId: trayId >> 2, slot: trayId & 3 }
  const extruder = side === undefined ? undefined : side === 'L' ? 1 : 0
  return { trayId, ...place, type, color: COLORS[color] ?? color, extruder, catalogueId: side === undefined ? last ?? '' : '' }
}

interface Row {
  readonly what: string
  readonly filaments: readonly string[]
  readonly spools: readonly string[]
  readonly mapping: readonly number[]
  readonly labels?: readonly string[]
  readonly unmatched?: readonly number[]
}

const ROWS: readonly Row[] = [
  { what: 'another type of nearly the same colour', filaments: ['1 PLA red'], spools: ['0 PETG nearRed'], mapping: [0], labels: ['Color Match Only'] },
  { what: 'the same type of any colour', filaments: ['1 PLA red'], spools: ['0 PLA blue'], mapping: [0], labels: ['Type Match'] },
  { what: 'exact ones choose first', filaments: ['1 PLA blue', '2 PLA red'], spools: ['0 PLA red', '1 PETG blue'], mapping: [1, 0], labels: ['Color Match Only', 'Excellent Match'] },
  { what: 'one spool serves twice', filaments: ['1 PLA red', '2 PLA red'], spools: ['0 PLA red'], mapping: [0, 0], labels: ['Excellent Match', 'Excellent Match'] },
  { what: 'neither type nor colour', filaments: ['1 PLA red'], spools: ['0 PETG blue'], mapping: [-1], unmatched: [1] },
  { what: 'a single-slot unit, and gaps before', filaments: ['3 PLA white'], spools: ['128 PLA white'], mapping: [-1, -1, 128], labels: ['Excellent Match'] },
  { what: 'the third slot of the second unit', filaments: ['1 PLA white'], spools: ['0 PETG white', '6 PLA white'], mapping: [6], labels: ['Excellent Match'] },
  { what: 'the last slot of the fourth unit', filaments: ['1 PLA white'], spools: ['15 PLA white'], mapping: [15], labels: ['Excellent Match'] },
  { what: 'types in any letter case', filaments: ['1 pla red'], spools: ['2 PLA red'], mapping: [2], labels: ['Excellent Match'] },
  { what: 'a reinforced type is another type', filaments: ['1 PLA black'], spools: ['0 PLA-CF white'], mapping: [-1], unmatched: [1] },
  { what: 'the nearer of two colours', filaments: ['1 PLA red'], spools: ['0 PLA blue', '1 PLA #C81E1E'], mapping: [1], labels: ['Good Match'] },
  { what: 'of two alike the first', filaments: ['1 PLA red'], spools: ['3 PLA nearRed', '1 PLA nearRed'], mapping: [3], labels: ['Excellent Match'] },
  { what: 'no unit at all', filaments: ['1 PLA red'], spools: [], mapping: [-1], unmatched: [1] },
  { what: 'a filament without a type', filaments: ['1 ? red'], spools: ['0 PLA red'], mapping: [], unmatched: [1] },
  { what: 'a filament without a colour', filaments: ['1 PLA none'], spools: ['0 PLA red'], mapping: [], unmatched: [1] },
  { what: 'a spool without a colour', filaments: ['1 PLA red'], spools: ['0 PLA none'], mapping: [-1], unmatched: [1] },
  { what: 'the same entry of the catalogue before another line', filaments: ['1 PLA white GFA01'], spools: ['0 PLA white GFA00', '1 PLA white GFA01'], mapping: [1], labels: ['Excellent Match'] },
  { what: 'the same entry, though the other line has the very colour', filaments: ['1 PLA #FFFFFF GFA01'], spools: ['0 PLA white GFA00', '1 PLA #F8F8F0 GFA01'], mapping: [1], labels: ['Excellent Match'] },
  { what: 'the same entry before another maker of the line', filaments: ['1 PLA white GFA05'], spools: ['0 PLA white GFL96', '1 PLA white GFA05'], mapping: [1], labels: ['Excellent Match'] },
  { what: 'the same line before another', filaments: ['1 PLA white GFA05'], spools: ['0 PLA white GFA00', '1 PLA white GFL96'], mapping: [1], labels: ['Excellent Match'] },
  { what: 'another line where there is nothing else is no excellent match', filaments: ['1 PLA white GFA01'], spools: ['0 PLA white GFA00'], mapping: [0], labels: ['Type Match'] },
  { what: 'a colour that looks alike before the line', filaments: ['1 PLA white GFA01'], spools: ['0 PLA black GFA01', '1 PLA white GFA00'], mapping: [1], labels: ['Type Match'] },
  { what: 'none takes the spool that suits another better', filaments: ['1 PLA white GFL99', '2 PLA white GFA01'], spools: ['0 PLA white GFA01', '1 PLA black GFA00'], mapping: [1, 0], labels: ['Type Match', 'Excellent Match'] },
  { what: 'two lines of one colour', filaments: ['1 PLA white GFA00', '2 PLA white GFA01'], spools: ['0 PLA white GFA01', '1 PLA white GFA00'], mapping: [1, 0], labels: ['Excellent Match', 'Excellent Match'] },
  { what: 'fibres by the entry, whatever the type is called', filaments: ['1 PLA-CF black GFA50'], spools: ['0 PLA black GFA00', '1 PLA black GFA50'], mapping: [1], labels: ['Excellent Match'] },
  { what: 'a filament without a number', filaments: ['-1 PLA red'], spools: ['0 PLA red'], mapping: [], unmatched: [-1] }
]

for (const { what, filaments, spools, mapping, labels = [], unmatched = [] } of ROWS) {
  t.test(what, async t => {
    const found = resolveMapping(filaments.map(filament), spools.map(spool))
    t.same(found.mapping, mapping)
    t.same(found.matches.map(match => matchRecord(match).label), labels)
    t.same(found.unmatched.map(({ id }) => id), unmatched)
  })
}

t.test('a match tells how it came about', async t => {
  const { matches } = resolveMapping(['1 PLA red', '2 PLA red'].map(filament), ['0 PLA nearRed'].map(spool))
  t.same(matches.map(matchRecord), [
    { id: 1, type: 'PLA', color: '#FF0000', tray_id: 0, spool_type: 'PLA', spool_color: '#FF0A0A', distance: 14.1, quality: 'excellent', label: 'Excellent Match', pass: 'best-unused', reused: false },
    { id: 2, type: 'PLA', color: '#FF0000', tray_id: 0, spool_type: 'PLA', spool_color: '#FF0A0A', distance: 14.1, quality: 'excellent', label: 'Excellent Match', pass: 'reuse', reused: true }
  ])
})

t.test('limits of the labels are strict', async t => {
  const verdict = (type: string, blue: number) => {
    const found = score({ type: 'PLA', color: '#000000' }, { type, color: `#0000${blue.toString(16).padStart(2, '0')}` })
    return found && [verdictOf(found).quality, found.acceptable]
  }
  t.same([49, 50, 149, 150].map(blue => verdict('PLA', blue)),
    [['excellent', true], ['good', true], ['good', true], ['fair', true]])
  t.same([59, 60].map(blue => verdict('ABS', blue)), [['poor', true], ['bad', false]])
  t.equal(score({ type: 'PLA', color: 'red' }, { type: 'PLA', color: '#FF0000' }), undefined)
})

t.test('two nozzles: only spools on the right side', async t => {
  const reaches = ({ id }: Filament, { extruder }: LoadedSpool) => extruder === (id === 1 ? 1 : 0)
  const wanted = ['1 PLA red', '2 PLA white'].map(filament)
  t.same(resolveMapping(wanted, ['0 PLA red R', '4 PLA blue L', '128 PLA white R'].map(spool), reaches).mapping, [4, 128])
  t.same(resolveMapping(wanted, ['0 PLA red R', '1 PLA white R'].map(spool), reaches).unmatched.map(({ id }) => id), [1])
})

t.test('the external holder of each filament', async t => {
  const plate = (ids: number[], filamentExtruders: number[], physicalExtruders: number[]) =>
    ({ filaments: ids.map(id => ({ id, type: 'PLA', color: '#FFFFFF' })), filamentExtruders, physicalExtruders })
  t.same(externalTrays(plate([1, 3], [1, 1, 1, 1], [0]), false), [255, -1, 255, -1])
  t.same(externalTrays(plate([2], [], []), false), [-1, 255])
  t.same(externalTrays(plate([5], [1, 1, 1, 1, 2, 1, 1, 1], [1, 0]), true), [-1, -1, -1, -1, 255, -1, -1, -1])
  t.same(externalTrays(plate([1, 2], [1, 2], [1, 0]), true), [254, 255])
  t.same(externalTrays(plate([1], [], [1, 0]), true), [], 'no extruder for the filament')
  t.same(externalTrays(plate([1], [1], []), true), [], 'nobody says which is which')
  t.same(externalTrays(plate([1], [3], [1, 0]), true), [], 'an extruder that there is not')
  t.same(externalTrays(plate([1], [1], [7, 0]), true), [], 'a place that there is not')
})

t.test('on the wire', async t => {
  const nowhere = { ams_id: 255, slot_id: 255 }
  t.same(wireMapping([-1, 6, 128], [], false), {
    use_ams: true,
    ams_mapping: [-1, 6, 128],
    ams_mapping2: [nowhere, { ams_id: 1, slot_id: 2 }, { ams_id: 128, slot_id: 0 }]
  })
  const byHand = { use_ams: false, ams_mapping: [-1], ams_mapping2: [{ ams_id: 255, slot_id: 0 }] }
  t.same(wireMapping([254], [], false), byHand, 'the only holder is the right one, however it is called')
  t.same(wireMapping([255, -1, 255], [], false), byHand)
  t.same(wireMapping([], [], false), byHand)
  t.same(wireMapping([254, 0], [], false), {
    use_ams: true, ams_mapping: [-1, 0], ams_mapping2: [{ ams_id: 255, slot_id: 0 }, { ams_id: 0, slot_id: 0 }]
  }, 'holder and unit')
  t.same(wireMapping([254, 255, -1], [], true), {
    use_ams: false,
    ams_mapping: [-1, -1, -1],
    ams_mapping2: [{ ams_id: 254, slot_id: 0 }, { ams_id: 255, slot_id: 0 }, nowhere]
  })
  const lite: LoadedSpool = { trayId: 2, amsId: 16, slot: 2, type: 'PLA', color: '#FFFFFF', extruder: undefined }
  t.same(wireMapping([2], [lite], false).ams_mapping2, [{ ams_id: 16, slot_id: 2 }], 'a unit with a number of its own')
})

t.test('a mapping that is given', async t => {
  t.same(mappingOf('[0, -1, 128]'), [0, -1, 128])
  t.same(mappingOf([254, 255]), [254, 255])
  for (const none of [undefined, null, '', '  ', '[]', [], 'null']) t.equal(mappingOf(none), undefined)
  const wrongs = ['{}', '0', '[1.5]', '["1"]', '[104]', '[136]', '[-2]', '[256]', 'x', 7, [1e9], new Array(300).fill(0)]
  for (const wrong of wrongs) {
    t.throws(() => mappingOf(wrong), { code: 'PRN_ERR_BAD_INPUT', message: /^ams_mapping/ }, JSON.stringify(wrong))
  }
})
