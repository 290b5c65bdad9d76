import t from 'tap'
import type { Raw } from '../../../../core/printer/state/raw.js'
import { createFeed, type Fields } from '../helpers/feed.js'
import { mergeReport } from '../helpers/merge.js'

const TAG = 'DE6CF07300000100'
const UUID = '5F3D8925633343C29FB9A97FA9125971'
const NO_TAG = '0000000000000000'
const NO_UUID = '00000000000000000000000000000000'

const SPOOL = { tray_type: 'PLA', tray_color: '000000FF', remain: 93, tag_uid: TAG, tray_uuid: UUID }

/** One unit whose four slots are full. */
const full = (ams: Fields = {}): Raw => mergeReport({}, {
  ams: {
    ams_exist_bits: '1',
    tray_exist_bits: 'f',
    tray_now: '255',
    power_on_flag: true,
    ams: [{ id: '0', temp: '24.0', tray: ['0', '1', '2', '3'].map(id => ({ id, state: 11, ...SPOOL })) }],
    ...ams
  }
}).tree

type Tree = { ams: { ams: { id: string, tray: Fields[], [key: string]: unknown }[], [key: string]: unknown } }

const merge = (tree: Raw, ...patches: Fields[]) =>
  patches.reduce<Raw>((base, ams) => mergeReport(base, { ams }).tree, tree) as unknown as Tree
const trays = (tree: Raw, ...patches: Fields[]) => merge(tree, ...patches).ams.ams[0]?.tray

t.test('ams without the list of units removes none', async t => {
  const tree = merge(full(), { tray_now: '2' })
  t.equal(tree.ams.tray_now, '2')
  t.equal(tree.ams.ams[0]?.tray.length, 4)
})

t.test('an empty list of units removes none', async t => {
  t.equal(merge(full(), { ams: [] }).ams.ams.length, 1)
})

t.test('a unit without its trays keeps them', async t => {
  const [unit] = merge(full(), { ams: [{ id: '0', temp: '25.5' }] }).ams.ams
  t.equal(unit?.temp, '25.5')
  t.strictSame(unit?.tray, (full() as unknown as Tree).ams.ams[0]?.tray)
})

t.test('a partial tray changes what it names', async t => {
  t.strictSame(trays(full(), { ams: [{ id: '0', tray: [{ id: '2', remain: 92 }] }] })?.[2],
    { id: '2', state: 11, ...SPOOL, remain: 92 })
})

const WITHOUT_BITS: Fields = { tray_exist_bits: undefined }

t.test('a bare tray is empty where the printer has no bits', async t => {
  const after = trays(full(WITHOUT_BITS), { ams: [{ id: '0', tray: [{ id: '1' }] }] })
  t.strictSame(after?.[1], { id: '1' })
  t.strictSame(after?.[0], { id: '0', state: 11, ...SPOOL })
})

t.test('a tray of a blank state alone is empty where the printer has no bits', async t => {
  for (const state of [0, 8, 9, 10, '9']) {
    t.strictSame(trays(full(WITHOUT_BITS), { ams: [{ id: '0', tray: [{ id: '1', state }] }] })?.[1], { id: '1', state },
      `state ${state}`)
  }
})

/** Every kind of unit with a spool in its first slot, with its id and the bits of that slot and of the unit. */
const UNITS = [['0', '1', '1'], ['3', '1000', '8'], ['16', '1000000', '0'], ['128', '10000', '10'],
  ['131', '80000', '80'], ['135', '800000', '800']] as const

t.test('a set bit keeps the spool of a slot that comes bare, in every unit and with every state', async t => {
  for (const [id, bit, units] of UNITS) {
    const loaded = merge({}, { ams_exist_bits: units, tray_exist_bits: bit, ams: [{ id, tray: [{ id: '0', state: 11, ...SPOOL }] }] })
    for (const state of [undefined, 0, 8, 9, 10, '9']) {
      const slot = state === undefined ? { id: '0' } : { id: '0', state }
      const kept = { id: '0', ...SPOOL, state: state ?? 11 }
      const bare = [{ id, tray: [slot] }]
      t.same(trays(loaded as unknown as Raw, { ams: bare })?.[0], kept, `unit ${id}, state ${state}, bit known`)
      t.same(trays(loaded as unknown as Raw, { tray_exist_bits: bit, ams: bare })?.[0], kept, `unit ${id}, state ${state}, bit repeated`)
      t.same(trays(loaded as unknown as Raw, { tray_exist_bits: '0', ams: bare })?.[0], slot.state === undefined
        ? { id: '0' }
        : slot, `unit ${id}, state ${state}, bit cleared`)
    }
  }
})

t.test('an exchanged spool that is not read yet inherits nothing', async t => {
  const after = trays(full(), { tray_exist_bits: 'd' }, { tray_exist_bits: 'f', ams: [{ id: '0', tray: [{ id: '1', state: 9 }] }] })
  t.strictSame(after?.[1], { id: '1', state: 9 })
})

t.test('a loaded AMS HT that is reported bare stays loaded in the state', async t => {
  const feed = createFeed('09400A000000001')
  const report = (tray: Fields[], more: Fields = {}) => feed.report({
    gcode_state: 'IDLE',
    ...Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`field_${at}`, at])),
    ams: { ams_exist_bits: '10', tray_exist_bits: '10000', ams: [{ id: '128', info: '2104', tray }], ...more }
  })
  report([{ id: '0', state: 11, ...SPOOL }])
  report([{ id: '0', state: 9 }])
  const spool = () => feed.state.spools.find(({ amsId }) => amsId === 128)
  t.hasStrict(spool(), { present: true, type: 'PLA', rgba: '000000FF', remainingPercent: 93, tagUid: TAG })
  report([{ id: '0', state: 9 }], { tray_exist_bits: '0' })
  t.hasStrict(spool(), { present: false, type: '' })
  report([{ id: '0', state: 9 }])
  t.hasStrict(spool(), { present: true, type: '' }, 'the next spool is not known yet')
})

t.test('another state alone keeps the spool', async t => {
  for (const state of [1, 2, 3, 5, 11, 17]) {
    t.strictSame(trays(full(), { ams: [{ id: '0', tray: [{ id: '1', state }] }] })?.[1],
      { id: '1', ...SPOOL, state }, `state ${state}`)
  }
})

t.test('tags repeated as zeros keep the known ones', async t => {
  t.strictSame(trays(full(), { ams: [{ id: '0', tray: [{ id: '0', remain: 90, tag_uid: NO_TAG, tray_uuid: NO_UUID }] }] })?.[0],
    { id: '0', state: 11, ...SPOOL, remain: 90 })
})

t.test('zeros count where nothing was known, and a new tag replaces the old', async t => {
  const none = full({ ams: [{ id: '0', tray: [{ id: '0', tray_type: 'PLA', tag_uid: NO_TAG }] }] })
  t.equal(trays(none, {})?.[0]?.tag_uid, NO_TAG)
  t.equal(trays(full(), { ams: [{ id: '0', tray: [{ id: '0', tag_uid: 'AA6CF07300000100' }] }] })?.[0]?.tag_uid, 'AA6CF07300000100')
})

t.test('after an empty slot zeros are news', async t => {
  const after = trays(full(), { tray_exist_bits: 'e' },
    { tray_exist_bits: 'f', ams: [{ id: '0', tray: [{ id: '0', tray_type: 'ABS', tag_uid: NO_TAG, tray_uuid: NO_UUID }] }] })
  t.strictSame(after?.[0], { id: '0', state: 11, tray_type: 'ABS', tag_uid: NO_TAG, tray_uuid: NO_UUID })
})

t.test('a cleared bit empties a slot, though the report repeats its old spool', async t => {
  const repeated = [{ id: '0', tray: [{ id: '3', state: 11, ...SPOOL }] }]
  t.strictSame(trays(full(), { tray_exist_bits: '7', ams: repeated })?.[3], { id: '3', state: 11 })
  t.strictSame(trays(full(), { tray_exist_bits: '7' })?.[3], { id: '3', state: 11 }, 'and though it does not')
  t.strictSame(trays(full(), { tray_exist_bits: '7' })?.[2], { id: '2', state: 11, ...SPOOL }, 'the others stay')
})

t.test('the next spool in that slot inherits nothing', async t => {
  const next = { id: '3', state: 9, tray_type: 'ABS', tag_uid: NO_TAG, tray_uuid: NO_UUID }
  const after = trays(full(), { tray_exist_bits: '7' }, { tray_exist_bits: 'f', ams: [{ id: '0', tray: [next] }] })
  t.strictSame(after?.[3], next)
})

t.test('old contents repeated for an empty slot change nothing', async t => {
  const frame = { ams: { tray_exist_bits: '7', ams: [{ id: '0', tray: [{ id: '3', state: 11, ...SPOOL }] }] } }
  const { tree } = mergeReport(full(), frame)
  t.equal(mergeReport(tree, structuredClone(frame)).tree, tree)
})

t.test('bits of AMS HT and of the built-in unit of the A2L stand apart', async t => {
  const units = ['0', '128', '129', '16'].map(id => ({ id, tray: [{ id: '0', ...SPOOL }] }))
  const here = (bits: string) => merge({}, { tray_exist_bits: bits, ams: units })
    .ams.ams.filter(({ tray }) => tray[0]?.tray_type === 'PLA').map(({ id }) => id)
  t.strictSame(here('1'), ['0'])
  t.strictSame(here('10000'), ['128'])
  t.strictSame(here('20000'), ['129'])
  t.strictSame(here('1000000'), ['16'])
})

t.test('a unit whose bit is set stays, though a full report does not list it', async t => {
  const status: Fields = { gcode_state: 'IDLE', ...Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`field_${at}`, at])) }
  const feed = createFeed('09400A000000001')
  const units = ['0', '128'].map(id => ({ id, temp: '24.0', tray: [{ id: '0', ...SPOOL }] }))
  const ids = () => feed.state.ams.units.map(({ id }) => id)
  feed.report({ ...status, ams: { ams_exist_bits: '11', tray_exist_bits: '10001', ams: units } })
  feed.report({ ...status, ams: { ams_exist_bits: '11', tray_exist_bits: '10001', ams: [units[0]] } })
  t.strictSame(ids(), [0, 128])
  feed.report({ ...status, ams: { ams: [units[0]] } })
  t.strictSame(ids(), [0, 128], 'also where the report leaves the bits out')
  feed.report({ ...status, ams: { ams_exist_bits: '1', tray_exist_bits: '1', ams: [units[0]] } })
  t.strictSame(ids(), [0])
})

t.test('units that a full report does not list were made up, and go', async t => {
  const status: Fields = { gcode_state: 'IDLE', ...Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`field_${at}`, at])) }
  const unit = (id: string) => ({ id, temp: '24.0', tray: [] })
  const feed = createFeed('00M00A000000001')
  const ids = () => feed.state.ams.units.map(({ id }) => id)
  const real = { ams_exist_bits: '1', ams: [unit('0')] }
  feed.report({ ...status, ams: real })
  feed.report({ msg: 1, ams: { ams: [unit('50'), unit('99')] } })
  t.strictSame(ids(), [0, 50, 99])
  feed.report({ msg: 1, ...status, ams: real })
  t.strictSame(ids(), [0, 50, 99], 'a report of differences removes none')
  feed.report({ ...status, gcode_state: 'FINISH' })
  t.strictSame(ids(), [0, 50, 99], 'nor one without the list')
  feed.report({ ...status, ams: { ams_exist_bits: '1', ams: [] } })
  t.strictSame(ids(), [0], 'an empty list removes those that cannot be')
  feed.report({ msg: 1, ams: { ams: [unit('50')] } })
  feed.report({ ...status, ams: real })
  t.strictSame(ids(), [0])
})
