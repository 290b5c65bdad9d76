import t from 'tap'
import type { Raw } from '../../../../core/printer/state/raw.js'
import { h2d } from '../fixtures/h2d.data.js'
import type { Fields } from '../helpers/feed.js'
import { mergeReport } from '../helpers/merge.js'

/** Merges patches one after the other and notes what was complained about. */
function merging (...patches: Fields[]) {
  const protocolWarnings: string[] = []
  let tree: Raw = {}
  let changed: readonly string[] = []
  for (const patch of patches) {
    ({ tree, changed } = mergeReport(tree, patch, (kind, field) => protocolWarnings.push(`${kind}: ${field}`)))
  }
  return { tree, changed, protocolWarnings }
}

t.test('a field that is absent is unchanged', async t => {
  const { tree, changed } = merging({ wifi_signal: '-48dBm', mc_percent: 4, home_flag: 7 }, { mc_percent: 5 })
  t.strictSame(tree, { wifi_signal: '-48dBm', mc_percent: 5, home_flag: 7 })
  t.strictSame(changed, ['mc_percent'])
})

t.test('objects merge at every level', async t => {
  const { tree } = merging(
    { ipcam: { timelapse: 'disable', resolution: '1080p' }, device: { bed: { info: { temp: 23 }, state: 0 } } },
    { ipcam: { timelapse: 'enable' }, device: { bed: { info: { temp: 24 } } }, upgrade_state: { status: 'IDLE' } })
  t.strictSame(tree, {
    ipcam: { timelapse: 'enable', resolution: '1080p' },
    device: { bed: { info: { temp: 24 }, state: 0 } },
    upgrade_state: { status: 'IDLE' }
  })
})

t.test('objects nobody decodes merge as well', async t => {
  const { tree } = merging({ job: { stage: { idx: 1, state: 0 }, job_state: 0 } }, { job: { stage: { state: 4 } } })
  t.strictSame(tree, { job: { stage: { idx: 1, state: 4 }, job_state: 0 } })
})

t.test('plain lists are replaced, empty ones too', async t => {
  const { tree } = merging(
    { hms: [{ attr: 1, code: 2 }, { attr: 3, code: 4 }], stg: [2, 14, 1], s_obj: [17, 42], mapping: [1, 259] },
    { hms: [{ attr: 3, code: 4 }], stg: [], s_obj: [17], mapping: [65535] })
  t.strictSame(tree, { hms: [{ attr: 3, code: 4 }], stg: [], s_obj: [17], mapping: [65535] })
})

t.test('vir_slot is replaced as a whole', async t => {
  const { tree } = merging(
    { vir_slot: [{ id: '254', tray_type: 'PLA' }, { id: '255', tray_type: 'ABS' }] }, { vir_slot: [{ id: '255' }] })
  t.strictSame(tree, { vir_slot: [{ id: '255' }] })
})

t.test('units, trays, extruders, nozzles and duct parts merge by their id', async t => {
  const { tree } = merging(
    {
      ams: { ams: [{ id: '0', temp: '24.0', tray: [{ id: '0', remain: 50 }] }, { id: '1', temp: '25.0' }] },
      device: {
        extruder: { state: 2, info: [{ id: 0, temp: 28 }, { id: 1, temp: 28, snow: 65279 }] },
        nozzle: { info: [{ id: 0, type: 'HS01', diameter: 0.4 }] },
        airduct: { modeCur: 0, parts: [{ id: 16, state: 0 }, { id: 32, state: 0 }] }
      }
    },
    {
      ams: { ams: [{ id: '1', temp: '26.0' }, { id: '0', tray: [{ id: '1', remain: 9 }, { id: '0', remain: 49 }] }] },
      device: {
        extruder: { info: [{ id: 1, temp: 40 }] },
        nozzle: { info: [{ id: 1, type: 'HH01' }] },
        airduct: { parts: [{ id: 32, state: 70 }] }
      }
    })
  t.strictSame(tree, {
    ams: {
      ams: [
        { id: '0', temp: '24.0', tray: [{ id: '0', remain: 49 }, { id: '1', remain: 9 }] },
        { id: '1', temp: '26.0' }
      ]
    },
    device: {
      extruder: { state: 2, info: [{ id: 0, temp: 28 }, { id: 1, temp: 40, snow: 65279 }] },
      nozzle: { info: [{ id: 0, type: 'HS01', diameter: 0.4 }, { id: 1, type: 'HH01' }] },
      airduct: { modeCur: 0, parts: [{ id: 16, state: 0 }, { id: 32, state: 70 }] }
    }
  })
})

t.test('a list of the part and the auxiliary fan names every part of the duct', async t => {
  const duct = (...ids: number[]) => ({ device: { airduct: { parts: ids.map(id => ({ id, state: 40 })) } } })
  const fitted = (...patches: Fields[]) => {
    const { device } = merging(duct(16, 32, 160, 48), ...patches).tree as Record<'device', ReturnType<typeof duct>['device']>
    return device.airduct.parts.map(({ id }) => id)
  }
  t.strictSame(fitted(duct(16, 32)), [16, 32], 'the kits were taken off')
  t.strictSame(fitted(duct(32, 48, 16)), [16, 32, 48])
  t.strictSame(fitted(duct(16)), [16, 32, 160, 48], 'a list of the part fan alone is partial')
  t.strictSame(fitted(duct(32, 96)), [16, 32, 160, 48, 96])
  t.strictSame(fitted(duct()), [16, 32, 160, 48])
})

t.test('an id counts the same as number and as text', async t => {
  const { tree } = merging({ ams: { ams: [{ id: '0', temp: '24.0' }] } }, { ams: { ams: [{ id: 0, humidity: 3 }] } })
  t.strictSame(tree, { ams: { ams: [{ id: 0, temp: '24.0', humidity: 3 }] } })
})

t.test('a report of one light keeps the others, in their order', async t => {
  const { tree } = merging(
    { lights_report: [{ node: 'chamber_light', mode: 'on' }, { node: 'work_light', mode: 'flashing' }] },
    { lights_report: [{ node: 'work_light', mode: 'off' }] })
  t.strictSame(tree.lights_report, [{ node: 'chamber_light', mode: 'on' }, { node: 'work_light', mode: 'off' }])
})

t.test('modes of the air duct are kept as they come', async t => {
  const modeList = [{ modeId: 0, ctrl: [16, 32], off: [96] }, { modeId: 1, ctrl: [16], off: [32] }]
  const { tree, protocolWarnings } = merging({ device: { airduct: { modeCur: 0, modeList } } })
  t.strictSame(tree, { device: { airduct: { modeCur: 0, modeList } } })
  t.strictSame(protocolWarnings, [])
})

t.test('null says nothing where a value is expected', async t => {
  const { tree, protocolWarnings } = merging(
    { device: { holder: 1, airduct: { modeCur: 1 } }, hms: [{ attr: 1, code: 1 }], wifi_signal: '-48dBm' },
    { device: { airduct: null }, hms: null, wifi_signal: null, fun: null })
  t.strictSame(tree, { device: { holder: 1, airduct: { modeCur: 1 } }, hms: [{ attr: 1, code: 1 }], wifi_signal: '-48dBm' })
  t.strictSame(protocolWarnings, [])
})

t.test('numbers may come as text, and text as a number', async t => {
  const { tree, protocolWarnings } = merging({ mc_percent: '12', bed_temper: '60.5', subtask_id: 17, big_fan1_speed: 4, ctt: '' })
  t.strictSame(tree, { mc_percent: '12', bed_temper: '60.5', subtask_id: 17, big_fan1_speed: 4, ctt: '' })
  t.strictSame(protocolWarnings, [])
})

t.test('what cannot be what it claims to be is left out and complained about', async t => {
  const good = {
    mc_percent: 12,
    home_flag: 7,
    fun: 'FF',
    hms: [{ attr: 1, code: 1 }],
    device: { bed_temp: 23 },
    gcode_state: 'RUNNING',
    xcam: { printing_monitor: true },
    ams: { tray_now: '1' },
    mapping: [259],
    s_obj: [17]
  }
  const { tree, protocolWarnings } = merging(good, {
    mc_percent: 'hot',
    home_flag: [1],
    fun: 'not hex',
    hms: { attr: 2 },
    device: 5,
    gcode_state: 12,
    xcam: { printing_monitor: 'maybe' },
    ams: [],
    mapping: [1, 'x', 3],
    s_obj: [{}]
  })
  t.strictSame(tree, good)
  t.strictSame(protocolWarnings.sort(), ['type: ams', 'type: device', 'type: fun', 'type: gcode_state', 'type: hms',
    'type: home_flag', 'type: mapping', 'type: mc_percent', 'type: s_obj', 'type: xcam'])
})

t.test('a list of numbers with something else in it is none', async t => {
  const { tree, protocolWarnings } = merging({ mapping: [1, 'x', 3], stg: [2, 14] })
  t.strictSame(tree, { stg: [2, 14] })
  t.strictSame(protocolWarnings, ['type: mapping'])
})

t.test('one odd entry of a list of objects does not spoil the others', async t => {
  const { tree, protocolWarnings } = merging({
    hms: [{ attr: 1, code: 1 }, 'x', { attr: 2, code: 2 }],
    ams: { ams: [{ temp: '20.0' }, 7, { id: '0', temp: '24.0' }] }
  })
  t.strictSame(tree, { hms: [{ attr: 1, code: 1 }, { attr: 2, code: 2 }], ams: { ams: [{ id: '0', temp: '24.0' }] } })
  t.strictSame(protocolWarnings.sort(), ['type: ams', 'type: ams', 'type: hms'])
})

t.test('old firmware that writes a number for the list of nozzles keeps what is known', async t => {
  const { tree, protocolWarnings } = merging({ device: { nozzle: { 0: { diameter: 0.4 }, info: 7 } } })
  t.strictSame(tree, { device: { nozzle: { 0: { diameter: 0.4 } } } })
  t.strictSame(protocolWarnings, ['type: device'])
})

t.test('what did not change is the same object', async t => {
  const before = mergeReport({}, h2d.report).tree
  t.equal(mergeReport(before, structuredClone(h2d.report)).tree, before, 'the whole tree')
  t.equal(mergeReport(before, {}).tree, before)
  const { tree, changed } = mergeReport(before, {
    ...structuredClone(h2d.report),
    device: { extruder: { info: [{ id: 1, temp: 29 }] } }
  })
  t.strictSame(changed, ['device'])
  const [was, now] = [before, tree].map(one => one.device as { extruder: { info: unknown[] }, [key: string]: unknown })
  t.not(now, was)
  t.equal(now?.airduct, was?.airduct, 'the duct')
  t.equal(now?.nozzle, was?.nozzle, 'the nozzles')
  t.equal(now?.extruder.info[0], was?.extruder.info[0], 'the other extruder')
  t.not(now?.extruder.info[1], was?.extruder.info[1])
  t.equal(tree.ams, before.ams, 'the AMS')
})
