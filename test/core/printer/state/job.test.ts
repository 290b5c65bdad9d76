import t from 'tap'
import { isActive, placeOfWord, stageName } from '../../../../core/printer/state/job.js'
import type { ProjectFile } from '../../../../core/printer/state/context.js'
import { PAUSING_STAGES } from '../../../../core/printer/state/stages.data.js'
import { decode } from '../helpers/decode.js'
import { createFeed, START } from '../helpers/feed.js'
import { p1s } from '../fixtures/p1s.data.js'

const job = (report: Record<string, unknown>, context = {}) => decode(report, { context }).job

t.test('every field of the job under its usual name', async t => {
  t.hasStrict(job({
    gcode_state: 'RUNNING',
    subtask_name: 'gear',
    gcode_file: '/data/Metadata/plate_12.gcode',
    stg: [2, 14],
    stg_cur: 14,
    layer_num: 3,
    total_layer_num: 90,
    mc_percent: '7',
    mc_remaining_time: 125,
    gcode_file_prepare_percent: '100',
    print_type: 'local',
    subtask_id: '11',
    task_id: '12',
    job_id: '13',
    spd_lvl: 4,
    spd_mag: 166,
    s_obj: [17, 42]
  }), {
    gcodeState: 'RUNNING',
    subtaskName: 'gear',
    gcodeFile: '/data/Metadata/plate_12.gcode',
    plate: 12,
    stage: { id: 14, name: 'Cleaning nozzle tip' },
    plannedStages: [2, 14],
    layer: 3,
    totalLayers: 90,
    percent: 7,
    remainingMinutes: 125,
    preparePercent: 100,
    printType: 'local',
    subtaskId: '11',
    taskId: '12',
    jobId: '13',
    speedLevel: 4,
    speedPercent: 166,
    skippedObjects: [17, 42]
  })
})

t.test('the duplicates of newer printers stand in for what is missing', async t => {
  t.hasStrict(job({
    file: '/data/Metadata/plate_2.gcode', percent: 30, remain_time: 61, prepare_per: 55, '3D': { layer_num: 8, total_layer_num: 40 }
  }), { gcodeFile: '/data/Metadata/plate_2.gcode', plate: 2, percent: 30, remainingMinutes: 61, preparePercent: 55, layer: 8, totalLayers: 40 })
  t.hasStrict(job({ mc_percent: 31, percent: 30, layer_num: 9, '3D': { layer_num: 8 } }), { percent: 31, layer: 9 })
})

t.test('the state before and right after the start of the printer', async t => {
  t.equal(job({}).gcodeState, 'IDLE', 'not reported')
  t.equal(job({ gcode_state: '' }).gcodeState, '', 'empty')
  t.equal(job({ gcode_state: 'running' }).gcodeState, 'RUNNING', 'in any case')
})

t.test('which states are a job under way', async t => {
  for (const state of ['PREPARE', 'RUNNING', 'PAUSE', 'SLICING']) t.ok(isActive(state), state)
  for (const state of ['IDLE', 'FINISH', 'FAILED', 'INIT', 'OFFLINE', 'UNKNOWN', '']) t.notOk(isActive(state), `'${state}'`)
})

t.test('stages: none, named, not listed', async t => {
  t.equal(stageName(-1), '')
  t.equal(stageName(0), '')
  t.equal(stageName(1), 'Auto bed leveling')
  t.equal(stageName(6), 'Filament runout pause')
  t.equal(stageName(16), 'Paused by user')
  t.equal(stageName(24), 'Filament loading')
  t.equal(stageName(39), 'Nozzle offset calibration')
  t.equal(stageName(58), 'Thermal preconditioning')
  t.equal(stageName(77), 'Preparing AMS')
  t.equal(stageName(100), 'Printing')
  t.equal(stageName(255), 'Completed')
  for (const id of [59, 66, 69, 78, 99, 245, 246, 247, -2]) t.equal(stageName(id), `Stage [${id}]`)
})

t.test('stages 25 to 58 and 70 to 77 have names', async t => {
  const ids = [...Array(34).keys()].map(at => 25 + at).concat([...Array(8).keys()].map(at => 70 + at))
  for (const id of ids) t.notMatch(stageName(id), /^(Stage \[.*)?$/, String(id))
})

t.test('stages that wait for somebody', async t => {
  t.strictSame([...PAUSING_STAGES].sort((a, b) => a - b), [5, 6, 16, 17, 20, 21, 23, 26, 27, 28, 30, 32, 33, 34, 35])
})

const started = (more: Partial<ProjectFile> = {}): ProjectFile => ({
  url: '',
  param: 'Metadata/plate_3.gcode',
  md5: '',
  bedType: '',
  subtaskName: 'gear',
  taskId: '0',
  places: [],
  useAms: undefined,
  acceptedAt: START,
  ...more
})

t.test('the plate: file name, else the start command of this very job, else the printer', async t => {
  const projectFile = started()
  const p1 = { subtask_name: 'gear', gcode_file: 'gear.gcode.3mf' }
  t.equal(job({ gcode_file: '/data/Metadata/plate_5.gcode', plate_idx: 7 }, { projectFile }).plate, 5)
  t.equal(job(p1, { projectFile }).plate, 3)
  t.equal(job({ ...p1, subtask_name: 'other', plate_idx: 4 }, { projectFile }).plate, 4)
  t.equal(job({ ...p1, plate_id: 2 }).plate, 2)
  t.equal(job({ ...p1, plate_idx: 0 }).plate, -1)
  t.equal(job({}).plate, -1)
})

t.test('a job is known by its id, whatever the printer makes of its name', async t => {
  const projectFile = started({ subtaskName: 'gear: v2', taskId: '1234' })
  t.equal(job({ subtask_name: 'something else', task_id: '1234' }, { projectFile }).plate, 3)
  t.equal(job({ subtask_name: 'gear: v2', task_id: '1235' }, { projectFile }).plate, -1, 'another job of the same name')
  t.equal(job({ subtask_name: 'gear: v2', task_id: '0' }, { projectFile }).plate, 3, 'no id: the name')
  t.equal(job({ subtask_name: 'other', task_id: '0' }, { projectFile: started({ taskId: '0' }) }).plate, -1)
})

t.test('an id that the printer cut off says nothing', async t => {
  const projectFile = started({ taskId: '702384465123' })
  t.equal(job({ subtask_name: 'gear', task_id: '2147483647' }, { projectFile }).plate, 3)
  t.equal(job({ subtask_name: 'other', task_id: '2147483647' }, { projectFile }).plate, -1)
  t.equal(job({ subtask_name: 'other', task_id: '702384465123' }, { projectFile }).plate, 3, 'one that it kept does')
})

t.test('without ids a job is known by its name, with forbidden characters replaced or not', async t => {
  for (const [sent, shown] of [['a:b', 'a_b'], ['a_b', 'a:b'], ['<"x"|y>?*', '__x__y___'], ['u\u0308 ', '\u00fc'], ['a/b\\c', 'a_b_c'], ['[x]', '_x_']]) {
    t.equal(job({ subtask_name: shown }, { projectFile: started({ subtaskName: sent as string }) }).plate, 3, `${sent} as ${shown}`)
  }
  t.equal(job({ subtask_name: 'ab' }, { projectFile: started({ subtaskName: 'a:b' }) }).plate, -1)
  t.equal(job({ subtask_name: '' }, { projectFile: started({ subtaskName: '' }) }).plate, -1, 'no name is no job')
})

t.test('a start command is that of one job only', async t => {
  const feed = createFeed(p1s.serial)
  const ack = { command: 'project_file', result: 'SUCCESS', param: 'Metadata/plate_3.gcode', subtask_name: 'gear', task_id: '0' }
  const job = { subtask_name: 'gear', gcode_file: 'gear.3mf', task_id: '0' }
  const pass = () => { feed.clock.now += 1_000 }
  feed.report(p1s.report)
  feed.receive({ print: { ...ack, sequence_id: '1' } })
  feed.report({ msg: 1, gcode_state: 'RUNNING', ...job })
  t.equal(feed.state.job.plate, 3)
  pass()
  feed.report({ msg: 1, gcode_state: 'FINISH' })
  t.equal(feed.state.job.plate, 3, 'also when it has ended')
  pass()
  feed.report({ msg: 1, gcode_state: 'RUNNING' })
  t.equal(feed.state.job.plate, -1, 'another one of the same name was started at the printer')
  t.equal(feed.reports.context.projectFile, undefined)
  pass()
  feed.report({ msg: 1, gcode_state: 'FINISH' })
  pass()
  feed.receive({ print: { ...ack, sequence_id: '2', param: 'Metadata/plate_4.gcode' } })
  feed.report({ msg: 1, gcode_state: 'PREPARE' })
  t.equal(feed.state.job.plate, 4)
})

t.test('signed addresses are kept without what is secret in them', async t => {
  const feed = createFeed(p1s.serial)
  const kept = (url: string) => {
    feed.receive({ print: { command: 'project_file', result: 'success', sequence_id: '1', url } })
    return feed.reports.context.projectFile?.url
  }
  t.equal(kept('https://s3.example.com/p/a.3mf?Expires=1&Signature=abc#x'), 'https://s3.example.com/p/a.3mf')
  t.equal(kept('HTTP://user:word@host/a.3mf?x'), 'HTTP://host/a.3mf')
  t.equal(kept('bambu:///tutk?uid=1&authkey=2'), 'bambu:///tutk')
  for (const url of ['ftp:///a?b#c@d.3mf', 'file:///sdcard/a?b.3mf', 'brtc://emmc/a?b']) t.equal(kept(url), url, 'a name')
})

t.test('packed places', async t => {
  t.equal(placeOfWord(65535), undefined, 'none, right')
  t.equal(placeOfWord(65279), undefined, 'none, left')
  t.equal(placeOfWord(255), undefined, 'none')
  t.strictSame(placeOfWord(259), { amsId: 1, slot: 3 })
  t.strictSame(placeOfWord(0), { amsId: 0, slot: 0 })
  t.strictSame(placeOfWord(0x8000), { amsId: 128, slot: 0 })
  t.strictSame(placeOfWord(65280), { amsId: 255, slot: 0 })
  t.strictSame(placeOfWord(65024), { amsId: 254, slot: 0 })
})

t.test('the mapping keeps the place of unused filaments', async t => {
  t.strictSame(job({ mapping: [65535, 259, 32768, 65280] }).mapping,
    [undefined, { amsId: 1, slot: 3 }, { amsId: 128, slot: 0 }, { amsId: 255, slot: 0 }])
})

t.test('a count of layers that comes late or goes early', async t => {
  const feed = createFeed(p1s.serial)
  feed.report({ ...p1s.report, gcode_state: 'FINISH', total_layer_num: 90, layer_num: 90 })
  t.equal(feed.state.job.totalLayers, 90)
  feed.report({ msg: 1, gcode_state: 'PREPARE', total_layer_num: 0, layer_num: 0 })
  t.equal(feed.state.job.totalLayers, 0, 'a new job does not begin with the layers of the last')
  feed.report({ msg: 1, gcode_state: 'RUNNING', total_layer_num: 250 })
  t.equal(feed.state.job.totalLayers, 250)
  feed.report({ msg: 1, gcode_state: 'FINISH', total_layer_num: 0 })
  t.equal(feed.state.job.totalLayers, 250, 'kept at the end')
})

t.test('the plate of a P1 from the answer to its start command', async t => {
  const feed = createFeed(p1s.serial)
  feed.report(p1s.report)
  const start = { command: 'project_file', param: 'Metadata/plate_3.gcode', subtask_name: 'gear', url: 'file:///sdcard/gear.3mf', md5: '', bed_type: 'textured_plate' }
  feed.receive({ print: { ...start, sequence_id: '1', result: 'FAIL' } })
  t.equal(feed.reports.context.projectFile, undefined, 'a refused start is none')
  feed.receive({ print: { ...start, sequence_id: '2', result: 'SUCCESS', reason: 'SUCCESS' } })
  t.strictSame(feed.reports.context.projectFile, {
    url: 'file:///sdcard/gear.3mf',
    param: 'Metadata/plate_3.gcode',
    md5: '',
    bedType: 'textured_plate',
    subtaskName: 'gear',
    taskId: '',
    places: [],
    useAms: undefined,
    acceptedAt: START
  })
  feed.report({ msg: 1, gcode_state: 'PREPARE', subtask_name: 'gear', gcode_file: 'gear.3mf' })
  t.equal(feed.state.job.plate, 3, 'whoever sent it')
  t.equal(feed.state.job.startedAt, START)
})

t.test('where filament comes from, as the answer to a start command says', async t => {
  const start = { command: 'project_file', param: 'Metadata/plate_1.gcode', subtask_name: 'gear', result: 'success' }
  const placesOf = (more: object) => {
    const feed = createFeed(p1s.serial)
    feed.report(p1s.report)
    feed.receive({ print: { ...start, sequence_id: '2', ...more } })
    const { places, useAms } = feed.reports.context.projectFile ?? {}
    return { places, useAms }
  }
  t.same(placesOf({ use_ams: true, ams_mapping: [1, -1, 128] }),
    { places: [{ amsId: 0, slot: 1 }, undefined, { amsId: 128, slot: 0 }], useAms: true })
  const pairs = [[0, 3], [255, 255], [255, 0], [254, 0], [128, 0], [16, 2]]
    .map(([unit, slot]) => ({ ams_id: unit, slot_id: slot }))
  t.same(placesOf({ use_ams: true, ams_mapping: [3, -1, -1, -1, 128, 2], ams_mapping2: pairs }).places, [
    { amsId: 0, slot: 3 }, undefined, { amsId: 255, slot: 0 }, { amsId: 254, slot: 0 }, { amsId: 128, slot: 0 },
    { amsId: 16, slot: 2 }
  ], 'the pairs tell holders and built-in units')
  t.same(placesOf({ use_ams: false, ams_mapping: [-1] }), { places: [undefined], useAms: false })
  t.same(placesOf({}), { places: [], useAms: undefined }, 'firmware that repeats none')
  t.same(placesOf({ use_ams: 1, ams_mapping: '[0]', ams_mapping2: 'x' }), { places: [], useAms: undefined }, 'nonsense')
})

t.test('layers that cannot be are not known', async t => {
  for (const wrong of [-1, 1e20, '-1', 'NaN', 100_001, -2147483648]) {
    t.hasStrict(decode({ gcode_state: 'RUNNING', layer_num: wrong, total_layer_num: wrong }).job, { layer: 0, totalLayers: 0 }, `${wrong}`)
    t.hasStrict(decode({ gcode_state: 'RUNNING', layer_num: wrong, '3D': { layer_num: 7, total_layer_num: 90 }, total_layer_num: wrong }).job,
      { layer: 7, totalLayers: 90 }, `${wrong}, and a good one`)
  }
  t.hasStrict(decode({ gcode_state: 'RUNNING', layer_num: 0, total_layer_num: 100_000 }).job, { layer: 0, totalLayers: 100_000 })
})
