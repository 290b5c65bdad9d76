import t from 'tap'
import { advanceFeeds } from '../../../../plugins/history/feeds.js'
import { certainMapping, filamentsOf } from '../../../../plugins/history/filament.js'
import type { Feeds, PlannedFilament } from '../../../../plugins/history/types.js'
import type { PlateMapping } from '../../../../plugins/history/places.js'
import type { Result } from '../../../../plugins/history/types.js'

const spool = (slot: number, type = 'PLA', rgba = 'FF0000FF', present = true) =>
  ({ id: slot, amsId: 0, slot, type, rgba, colors: [], present, tagUid: '', trayUuid: '' })
const RED = [spool(0), spool(1)]

/** One look: the layer being printed, the slot in the nozzle, what else differs. */
interface Look {
  readonly layer: number
  /** -1 none, 254 the holder. */
  readonly tray: number
  readonly spools?: readonly object[]
  readonly reported?: readonly number[]
  readonly result?: Result
  /** Seconds since the look before. */
  readonly seconds?: number
}

/** Lets a print of 100 layers go through these looks. */
function go (looks: readonly Look[], planned: readonly PlannedFilament[], mapping?: PlateMapping) {
  let feeds: Feeds | undefined
  let printing = 0
  let print: any
  for (const { layer, tray, spools = RED, reported = [], result = 'running', seconds = 1 } of looks) {
    printing += seconds
    const external = tray === 254
    const state: any = {
      spools,
      extruders: [{}],
      job: { mapping: reported.map(slot => slot < 0 ? undefined : { amsId: 0, slot }) },
      activeTray: {
        id: tray, amsId: external || tray < 0 ? -1 : 0, slot: tray, external, state: tray < 0 ? 'UNLOADED' : 'LOADED'
      }
    }
    print = { layer, totalLayers: 100, percent: layer, result, times: { printing }, mapping, planned, feeds }
    feeds = advanceFeeds(feeds, print, state)
    print = { ...print, feeds }
  }
  return print
}

const brief = (print: any) => filamentsOf(print)
  .map(({ filament, place, plannedGrams = 0 }) => `${filament} ${place} ${Math.round(plannedGrams * 10) / 10}`)

const ONE: readonly PlannedFilament[] = [{ id: 1, type: 'PLA', color: '#FF0000', grams: 100 }]
const TWO: readonly PlannedFilament[] = [
  { id: 1, type: 'PLA', color: '#FF0000', grams: 80 }, { id: 2, type: 'PLA', color: '#00FF00', grams: 20 }
]
const end: Look = { layer: 100, tray: 1, result: 'finished' }

t.test('a backup spool gets the grams of its layers', async t => {
  const looks = [{ layer: 0, tray: 0 }, { layer: 30, tray: 0 }, { layer: 41, tray: -1 }, { layer: 41, tray: 1 }, end]
  const shares = ['1 ams 0 slot 0 40', '1 ams 0 slot 1 60']
  t.same(brief(go(looks, ONE, ['ams 0 slot 0'])), shares, 'with a mapping')
  t.same(brief(go(looks, ONE)), shares, 'without one')
  const back = [...looks.slice(0, 4), { layer: 61, tray: 0 }, { ...end, tray: 0 }]
  t.same(brief(go(back, ONE, ['ams 0 slot 0'])), ['1 ams 0 slot 0 80', '1 ams 0 slot 1 20'], 'and back again')
})

t.test('a printer that reports its mapping reports the change, too', async t => {
  const looks = [
    { layer: 0, tray: 0, reported: [0] }, { layer: 21, tray: 0, reported: [1] }, { ...end, reported: [1] }
  ]
  t.same(brief(go(looks, ONE, ['ams 0 slot 0'])), ['1 ams 0 slot 0 20', '1 ams 0 slot 1 80'])
})

t.test('what was in the nozzle before the first layer gets nothing', async t => {
  const looks = [{ layer: 0, tray: 3 }, { layer: 1, tray: 3 }, { layer: 1, tray: 0 }, { ...end, tray: 0 }]
  t.same(brief(go(looks, ONE)), ['1 ams 0 slot 0 100'])
  t.same(certainMapping(go(looks, ONE)), ['ams 0 slot 0'])
  t.equal(certainMapping(go([looks[0] as Look], ONE)), undefined, 'not yet')
})

t.test('changes of colour are none of spool', async t => {
  const spools = [spool(0), spool(1, 'PLA', '00FF00FF'), spool(2)]
  const looks = [0, 1, 2, 3].flatMap(at => [
    { layer: 10 * at + 1, tray: at % 2, spools }, { layer: 10 * at + 5, tray: at % 2, spools }
  ])
  const mapping = ['ams 0 slot 0', 'ams 0 slot 1']
  t.same(brief(go([...looks, { ...end, spools }], TWO, mapping)), ['1 ams 0 slot 0 80', '2 ams 0 slot 1 20'])
  const gone = [spool(0, '', '00000000', false), ...spools.slice(1)]
  const over = [
    ...looks, { layer: 50, tray: 0, spools }, { layer: 51, tray: 2, spools: gone }, { ...end, spools: gone }
  ]
  t.same(brief(go(over, TWO, mapping)), ['1 ams 0 slot 0 40', '1 ams 0 slot 2 40', '2 ams 0 slot 1 20'])
})

t.test('a spool that serves two filaments takes over from its like that ran out', async t => {
  const gone = [spool(0, '', '00000000', false), spool(1)]
  const looks = [
    { layer: 0, tray: 0 }, { layer: 51, tray: 0 }, { layer: 51, tray: 1, spools: gone }, { ...end, spools: gone }
  ]
  t.same(brief(go(looks, TWO, ['ams 0 slot 0', 'ams 0 slot 1'])),
    ['1 ams 0 slot 0 40', '1 ams 0 slot 1 40', '2 ams 0 slot 1 20'])
})

t.test('of several filaments without a mapping, those are matched that can be, the others by time', async t => {
  const spools = [spool(0), spool(1, 'PLA', '00FF00FF')]
  const looks = [
    { layer: 0, tray: 0, spools }, { layer: 2, tray: 1, spools, seconds: 60 }, { ...end, spools, seconds: 30 }
  ]
  t.same(brief(go(looks, TWO)), ['1 ams 0 slot 0 80', '2 ams 0 slot 1 20'])
  const alike = [spool(0, 'PETG'), spool(1, 'PETG', '00FF00FF')]
  const unlike = looks.map(look => ({ ...look, spools: alike }))
  t.same(brief(go(unlike, TWO)).reduce((sum, text) => sum + Number(text.split(' ').at(-1)), 0), 100, 'nothing is lost')
  t.equal(certainMapping(go(looks, TWO)), undefined, 'but to print it again somebody is asked')
  t.same(brief(go(looks.slice(0, 2), TWO)), ['1  80', '2  20'], 'while it runs nothing is told')
})

t.test('another spool in the same slot is another spool', async t => {
  const swapped = [spool(0, 'PLA', '0000FFFF'), spool(1)]
  const looks = [
    { layer: 0, tray: 0 }, { layer: 26, tray: 0 }, { layer: 26, tray: 0, spools: swapped },
    { ...end, tray: 0, spools: swapped }
  ]
  const print = go(looks, ONE, ['ams 0 slot 0'])
  t.same(filamentsOf(print).map(({ color, plannedGrams }) => `${color} ${plannedGrams}`), ['#FF0000 25', '#0000FF 75'])
})

t.test('from the holder', async t => {
  const holder = { id: 254, amsId: -1, slot: 254, type: 'PETG', rgba: '112233FF', colors: [], present: true, tagUid: '', trayUuid: '' }
  const looks: Look[] = [
    { layer: 0, tray: -1, spools: [holder] }, { layer: 100, tray: -1, spools: [holder], result: 'finished' }
  ]
  t.match(filamentsOf(go(looks, ONE, 'external')),
    [{ place: 'external', material: 'PETG', color: '#112233', plannedGrams: 100 }])
})
