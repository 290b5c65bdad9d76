import t from 'tap'
import { createCounter } from '../../../../plugins/spools/counter.js'
import { shortagesOf, usesOf } from '../../../../plugins/spools/uses.js'
import { createReporter, judge } from '../../../../plugins/spools/reporter.js'
import { slotsOf, spoolIn, type Whereabouts } from '../../../../plugins/spools/slots.js'
import { SpoolmanRefused, spoolOf } from '../../../../plugins/spools/spoolman.js'
import type { UseRow } from '../../../../plugins/spools/tables.js'
import { remainingOf, type Spool, type Use } from '../../../../plugins/spools/types.js'

const spool = (id: string, more: Partial<Spool> = {}): Spool =>
  ({ id, name: id, material: 'PLA', color: '#FF0000', tag: '', netGrams: 1000, usedGrams: 100, ...more })
const SPOOLS = new Map([['1', spool('1')], ['2', spool('2', { tag: 'AA' })], ['3', spool('3')]])
const SLOT = { serial: 'S', place: 'ams 0 slot 1', tag: '', material: 'PLA', color: '#FF0000' }
const row = { ...SLOT, id: 'S/ams 0 slot 1', spool: '1', assigned_at: 0, assigned_by: '' }
const WHERE: Whereabouts = { slots: new Map([[row.id, row]]), tags: new Map([['BB', '3']]) }

t.test('a spool is known by its tag, else by what somebody said of the slot while the same is in it', async t => {
  t.equal(spoolIn(SLOT, WHERE, SPOOLS)?.id, '1')
  t.equal(spoolIn({ ...SLOT, color: '#00FF00' }, WHERE, SPOOLS), undefined, 'another colour is another spool')
  t.equal(spoolIn({ ...SLOT, material: 'PETG' }, WHERE, SPOOLS), undefined)
  t.equal(spoolIn({ ...SLOT, tag: 'AA' }, WHERE, SPOOLS)?.id, '2', 'as its keeper has the tag')
  t.equal(spoolIn({ ...SLOT, tag: 'BB', place: 'elsewhere' }, WHERE, SPOOLS)?.id, '3', 'as somebody said')
  t.equal(spoolIn({ ...SLOT, tag: 'CC' }, WHERE, SPOOLS), undefined)
  const unknown = { ...SLOT, color: '' }
  const old = { ...row, color: '#000000' }
  t.equal(spoolIn(unknown, { ...WHERE, slots: new Map([[row.id, old]]) }, SPOOLS)?.id, '1', 'once an unknown colour was noted as black')
  t.equal(spoolIn(unknown, WHERE, SPOOLS), undefined)
  t.equal(remainingOf(spool('1')), 900)
  t.equal(remainingOf(spool('1', { usedGrams: 2000 })), 0)
  t.equal(remainingOf(spool('1', { netGrams: undefined })), undefined)
})

const FILAMENT = { ...SLOT, filament: 1, grams: 12.5, grams_basis: null, metres: null, cost: null }
const PRINT = { id: 'p', started_at: 0, ended_at: 3, serial: 'S', printer: 'x1', filaments: [FILAMENT] }

t.test('a print uses what was weighed; of what nobody knows it is kept that it was used', async t => {
  const print = { ...PRINT, filaments: [FILAMENT, { ...FILAMENT, filament: 2, place: '' }, { ...FILAMENT, filament: 3, grams: null }] }
  const uses = (kind: 'prnd' | 'spoolman') => usesOf(print, { keeper: { kind, spools: SPOOLS }, whereabouts: WHERE, now: 5 })
  t.match(uses('spoolman'), [{ id: 'p/1', spool: '1', grams: 12.5, state: 'waiting' }, { id: 'p/2', spool: '', state: 'unknown' }])
  t.match(uses('prnd')[0], { state: 'done', at: 3 }, 'at its end')
  t.equal(usesOf({ ...print, ended_at: 9 }, { keeper: { kind: 'prnd', spools: SPOOLS }, whereabouts: WHERE, now: 5 })[0]?.at, 5, 'never later than now')
})

t.test('filaments from one spool are weighed together', async t => {
  const wanted = (filament: number, plannedGrams: number | undefined, place = 'a') =>
    ({ filament, place, plannedGrams, material: 'PLA' })
  const left = (grams: number | undefined) => () => grams === undefined ? undefined : { spool: undefined, grams }
  t.same(shortagesOf([wanted(1, 60), wanted(2, 50)], left(110)), [])
  t.match(shortagesOf([wanted(1, 60), wanted(2, 51)], left(110)), [{ neededGrams: 111, leftGrams: 110 }])
  t.same(shortagesOf([wanted(1, 60)], left(undefined)), [])
  t.same(shortagesOf([wanted(1, 60, '')], left(1)), [], 'nobody knows where it comes from')
})

t.test('what Spoolman says of a spool', async t => {
  const reply = { id: 7, used_weight: 12.5, filament: { material: 'PETG', color_hex: 'abcdef80' } }
  t.same(spoolOf(reply, 'tag'),
    { id: '7', name: 'PETG', material: 'PETG', color: '#ABCDEF', tag: '', netGrams: undefined, usedGrams: 12.5 })
  t.equal(spoolOf({ ...reply, remaining_weight: 100 }, 'tag').netGrams, 112.5)
  for (const [field, tag] of [['"aa bb"', 'AABB'], ['7', ''], ['{', '']] as const) {
    t.equal(spoolOf({ ...reply, extra: { tag: field } }, 'tag').tag, tag)
  }
})

t.test('its count tells what became of a use without an answer', async t => {
  t.equal(judge({ before: 100, grams: 20 }, 120.004), 'done')
  t.equal(judge({ before: 100, grams: 20 }, 100), 'open')
  t.equal(judge({ before: 100, grams: 20 }, 140), 'unclear')
  t.equal(judge({ before: 100, grams: 20 }, 110), 'unclear')
  t.equal(judge({ before: null, grams: 20 }, 120), 'unclear')
})

t.test('a print is counted when its record says that it is over, once', async t => {
  const print = { ...PRINT, result: 'running', ended_at: null as number | null, grams_open_until: null as number | null }
  const rows: UseRow[] = []
  let now = 0
  const counter = createCounter({
    history: {
      find: async id => id === print.id ? print as any : undefined,
      since: async function * () { yield print as any }
    },
    store: {
      isCounted: async () => rows.length > 0,
      addUses: async (uses: readonly UseRow[]) => { rows.push(...uses) }
    } as any,
    keeper: { kind: 'spoolman', problem: undefined, spools: SPOOLS, refresh: async () => {} },
    spools: {} as any,
    whereabouts: () => WHERE,
    now: () => now
  })
  const { signal } = new AbortController()
  t.equal(await counter.ended('p'), false, 'the record is behind')
  t.same(await counter.catchUp(0, signal), ['p'])
  t.equal(await counter.ended('none'), undefined)
  Object.assign(print, { result: 'unknown', ended_at: 0 })
  t.equal(await counter.ended('p'), false, 'it may go on')
  now = 25 * 3_600_000
  Object.assign(print, { ended_at: null, started_at: 2 * 3_600_000 })
  t.equal(await counter.ended('p'), false, 'nobody saw it end, but it may go on')
  Object.assign(print, { started_at: 0, grams_open_until: now })
  t.equal(await counter.ended('p'), false, 'its plate is still being read')
  now += 60_000
  t.equal(await counter.ended('p'), true, 'there was time enough')
  Object.assign(print, { result: 'finished' })
  t.equal(await counter.ended('p'), true)
  t.same(await counter.catchUp(0, signal), [])
  t.same(rows.map(({ id }) => id), ['p/1'])
})

/** A table of uses and a Spoolman of one spool. */
function desk () {
  const rows = new Map<string, Use>()
  let counted = 100
  let now = 0
  let fail: 'before' | 'after' | 'refused' | undefined
  const ended: string[] = []
  const reporter = createReporter({
    now: () => now,
    redact: text => text,
    ended: ({ id, state }) => { ended.push(`${id} ${state}`) },
    store: {
      uses: async (states, limit = 100) =>
        [...rows.values()].filter(({ state }) => states.includes(state)).slice(0, limit),
      step: async (id, from, to) => {
        const use = rows.get(id)
        if (use?.state !== from) return false
        rows.set(id, { ...use, ...to } as Use)
        return true
      }
    },
    spoolman: {
      usedGrams: async () => counted,
      use: async (_, grams) => {
        if (fail === 'refused') throw new SpoolmanRefused('it answered 404')
        if (fail === 'before') throw new Error('ECONNRESET')
        counted += grams
        if (fail === 'after') throw new Error('ECONNRESET')
      }
    }
  })
  const { signal } = new AbortController()
  return {
    rows,
    ended,
    add: (id: string) => {
      const use: UseRow = {
        id,
        print: id,
        spool: '1',
        printer: 'x',
        place: 'a',
        material: 'PLA',
        grams: 20,
        state: 'waiting',
        before: null,
        problem: null,
        at: 0,
        sent_at: null
      }
      rows.set(id, use)
    },
    run: () => reporter.run(signal),
    fail: (how: typeof fail) => { fail = how },
    count: (grams: number) => { counted += grams },
    later: () => { now += 60_000 },
    get counted () { return counted }
  }
}

t.test('each use is counted once, whenever the connection is lost', async t => {
  const it = desk()
  it.add('a')
  t.equal(await it.run(), true)
  t.equal(it.counted, 120)
  for (const how of ['before', 'after'] as const) {
    const before = it.counted
    it.add(how)
    it.fail(how)
    await t.rejects(it.run(), /ECONNRESET/)
    it.fail(undefined)
    t.equal(await it.run(), false, 'whoever asked may still be at it')
    it.later()
    while (!await it.run()) t.ok(it.counted <= before + 20)
    t.equal(it.counted, before + 20, how)
    t.equal(it.rows.get(how)?.state, 'done')
  }
  t.same(it.ended, ['a done', 'before done', 'after done'])
})

t.test('what cannot be told is left to a person, and what is refused is not sent again', async t => {
  const it = desk()
  it.add('a')
  it.fail('after')
  await t.rejects(it.run())
  it.count(7)
  it.fail(undefined)
  it.later()
  t.equal(await it.run(), true)
  t.match(it.rows.get('a'), { state: 'unclear', problem: /check it there/ })
  t.equal(it.counted, 127)
  it.add('b')
  it.fail('refused')
  t.equal(await it.run(), true)
  t.match(it.rows.get('b'), { state: 'refused', problem: 'it answered 404' })
})

t.test('a place tells all colours of its spool, and none that nobody knows', async t => {
  const NONE = '00000000'
  const loaded = (rgba: string, colors: readonly string[] = [rgba], tagUid = '') => ({
    id: 0, amsId: 0, slot: 0, type: 'PLA', subBrand: '', present: true, rgba, colors, tagUid, trayUuid: '', weightG: 0, remainingPercent: -1
  })
  const told = (...spool: Parameters<typeof loaded>) => {
    const session = { name: 'x', config: { serial: 'S' }, model: { extruders: 1 }, state: { ams: { units: [] }, spools: [loaded(...spool)] } }
    const [slot] = slotsOf(session as never)
    return [slot?.color, slot?.colors, slot?.isTranslucent]
  }
  t.same(told('FF0000FF'), ['#FF0000', ['#FF0000'], false])
  t.same(told('FF0000FF', ['FF0000FF', '00FF00FF']), ['#FF0000', ['#FF0000', '#00FF00'], false])
  t.same(told('FF000080'), ['#FF0000', ['#FF0000'], true])
  t.same(told(NONE), ['', [], false], 'nobody knows it')
  t.same(told(NONE, [NONE], 'A1'), ['', [], true], 'a tag says that it is clear')
})
