import type { SessionContext } from '../../../../core/printer/state/context.js'
import { START, type Fields } from './feed.js'
import type { Random } from './random.js'

const hexBits = (random: Random, bits: number) =>
  [...Array(Math.ceil(bits / 4))].map(() => random.int(16).toString(16)).join('')
const word32 = (random: Random) => random.int(2 ** 32) | 0
const packed = (random: Random) => random.int(300) + random.pick([0, random.int(300)]) * 65_536
const place = (random: Random) => random.pick([0, 3, 258, 259, 255, 65_535, 65_279, 65_280, 65_024, 0x8000, 0x8100])
const numeric = (random: Random, value: number) => random.chance(0.3) ? String(value) : value
const list = <T>(random: Random, most: number, make: () => T): T[] => [...Array(random.int(most + 1))].map(make)

/** No report names one thing twice. */
const once = (items: Fields[]) => items.filter(({ id }, at) => items.findIndex(item => item.id === id) === at)

function tray (random: Random, id: string): Fields {
  if (random.chance(0.2)) return { id }
  if (random.chance(0.2)) return { id, state: random.pick([0, 8, 9, 10, 11, 3]) }
  return {
    id,
    tray_type: random.pick(['PLA', 'PETG', '']),
    tray_color: random.pick(['00AE42FF', '00000000', 'x']),
    cols: list(random, 2, () => 'FFFFFFFF'),
    remain: random.pick([-1, 0, 55]),
    state: random.pick([3, 11]),
    tag_uid: random.pick(['0000000000000000', 'DE6CF07300000100']),
    nozzle_temp_max: numeric(random, 240),
    drying_temp: numeric(random, 55),
    k: random.pick([0.02, '0.04']),
    cali_idx: random.pick([-1, 2])
  }
}

const UNITS = ['0', '1', '16', '128'] as const

const unit = (random: Random): Fields => ({
  id: random.pick(UNITS),
  ...(random.chance(0.5) && { info: random.pick(['1001', '2003', '2103', '142023', '10942023', '11942124', '2E03', '2']) }),
  ...(random.chance(0.5) && { temp: String(20 + random.int(20)), humidity: String(random.int(6)) }),
  ...(random.chance(0.3) && { humidity_raw: String(random.int(110)) }),
  ...(random.chance(0.3) && { dry_time: random.int(300), dry_sf_reason: list(random, 3, () => random.int(11)) }),
  ...(random.chance(0.3) && { dry_setting: { dry_temperature: random.pick([-1, 55]), dry_duration: 4, dry_filament: 'PLA' } }),
  ...(random.chance(0.5) && { tray: once(list(random, 2, () => tray(random, String(random.int(4))))) })
})

const extruder = (random: Random): Fields => ({
  id: random.int(2),
  temp: packed(random),
  info: random.pick([0, 8, 10, 10, 12, 14, 79, 1032]),
  stat: random.pick([0, 1, 1, 0x300, 197_376]),
  snow: place(random),
  star: place(random),
  hnow: random.pick([0, 1, 17, 254])
})

const ductPart = (random: Random): Fields => ({ id: random.pick([16, 32, 48, 96]), state: random.int(101) })
const nozzle = (random: Random): Fields =>
  ({ id: random.pick([0, 1, 17]), type: random.pick(['HS01', 'HH05', 'N/A']), diameter: 0.4 })
const entry = (random: Random): Fields =>
  ({ attr: random.pick([0, 50_331_904, 117_448_704, 0x05000500]), code: random.pick([65_543, 0x00010007]) })

type Make = (random: Random) => Fields

const STATES = ['IDLE', 'PREPARE', 'RUNNING', 'PAUSE', 'FINISH', 'FAILED', 'SLICING', '']

/** Patches of every field that is decoded, with values that printers send and some that they may. */
const MAKERS: readonly Make[] = [
  random => ({ gcode_state: random.pick(STATES) }),
  random => ({ mc_percent: numeric(random, random.int(101)), mc_remaining_time: random.int(500) }),
  random => ({ percent: random.int(101), remain_time: random.int(500), prepare_per: random.int(101) }),
  random => ({ layer_num: random.int(300), total_layer_num: random.pick([0, 300]) }),
  random => ({ '3D': { layer_num: random.int(300), total_layer_num: random.int(300) } }),
  random => ({ gcode_file: random.pick(['', 'a.3mf', '/data/Metadata/plate_3.gcode']), file: random.pick(['', 'b']) }),
  random => ({ subtask_name: random.pick(['', 'a', 'b']), subtask_id: random.pick(['0', '17']), task_id: '5', job_id: '0' }),
  random => ({ plate_idx: random.int(4), plate_id: random.int(4), print_type: random.pick(['local', 'cloud', 'idle']) }),
  random => ({ stg_cur: random.pick([-1, 0, 2, 6, 16, 22, 24, 66, 255]), stg: list(random, 4, () => random.int(78)) }),
  random => ({ spd_lvl: 1 + random.int(4), spd_mag: random.pick([50, 100, 124, 166]) }),
  random => ({ s_obj: list(random, 3, () => random.int(99)), mapping: list(random, 4, () => place(random)) }),
  random => ({ gcode_file_prepare_percent: String(random.int(101)) }),
  random => ({ nozzle_temper: random.int(300) / 2, nozzle_target_temper: numeric(random, random.int(300)) }),
  random => ({ bed_temper: random.int(200) / 2, bed_target_temper: random.int(120) }),
  random => ({ chamber_temper: random.pick([5, 31.5]), ctt: random.pick([0, 45]) }),
  random => ({ cooling_fan_speed: String(random.int(17)), big_fan1_speed: String(random.int(16)) }),
  random => ({ big_fan2_speed: random.int(300), heatbreak_fan_speed: String(random.int(16)) }),
  random => ({ lights_report: [{ node: random.pick(['chamber_light', 'work_light']), mode: random.pick(['on', 'off', 'flashing']) }] }),
  random => ({ wifi_signal: `-${random.int(90)}dBm`, sdcard: random.pick([true, false, 'HAS_SDCARD_NORMAL']) }),
  random => ({ home_flag: word32(random) }),
  random => ({ fun: hexBits(random, 63) }),
  random => ({ cfg: hexBits(random, 42) }),
  random => ({ stat: hexBits(random, 40) }),
  random => ({ net: { info: [{ ip: word32(random) }, { ip: 0 }] } }),
  random => ({ ipcam: { timelapse: random.pick(['enable', 'disable']), ipcam_record: random.pick(['enable', 'disable']) } }),
  random => ({ ipcam: { rtsp_url: random.pick(['', 'disable', 'rtsps://1.2.3.4:322/streaming/live/1']) } }),
  random => ({ xcam: { cfg: random.pick([224_695, 374_487, 1_797_271, random.int(2 ** 23)]) } }),
  random => ({
    xcam: {
      spaghetti_detector: random.chance(0.5),
      buildplate_marker_detector: random.chance(0.5),
      first_layer_inspector: random.chance(0.5),
      halt_print_sensitivity: random.pick(['low', 'high'])
    }
  }),
  random => ({ upgrade_state: { status: 'IDLE', ota_new_version_number: random.pick(['', '01.99']) } }),
  random => ({ nozzle_type: random.pick(['stainless_steel', 'HH01', 'N/A']), nozzle_diameter: random.pick(['0.4', '0.6']) }),
  random => ({ print_error: random.pick([0, 50_348_044, 117_473_297, 0x03000001]) }),
  random => ({ hms: list(random, 3, () => entry(random)) }),
  random => ({ ams_status: random.pick([0, 258, 768, 0x1000]), ams_rfid_status: random.int(7) }),
  random => ({ ams: { ams: once(list(random, 2, () => unit(random))) } }),
  random => ({ ams: { ams_exist_bits: hexBits(random, 8), tray_exist_bits: hexBits(random, 28) } }),
  random => ({ ams: { tray_now: String(random.pick([0, 2, 6, 128, 254, 255])) } }),
  random => ({ ams: { tray_tar: String(random.pick([1, 255])), insert_flag: random.chance(0.5) } }),
  random => ({ ams: { power_on_flag: random.chance(0.5), calibrate_remain_flag: random.chance(0.5) } }),
  random => ({ vt_tray: tray(random, random.pick(['254', '255'])) }),
  random => ({ vir_slot: once(list(random, 2, () => tray(random, random.pick(['254', '255'])))) }),
  random => ({ device: { bed: { info: { temp: packed(random) } }, bed_temp: packed(random) } }),
  random => ({ device: { ctc: { info: { temp: packed(random) } } } }),
  random => ({ device: { cham_temp: random.int(60) } }),
  random => ({ device: { airduct: { modeCur: random.pick([-1, 0, 1, 2, 255]), subMode: random.int(2) } } }),
  random => ({ device: { airduct: { parts: once(list(random, 3, () => ductPart(random))) } } }),
  random => ({ device: { extruder: { state: random.pick([1, 2, 274, 0x1F2, 33_042]) } } }),
  random => ({ device: { extruder: { info: once(list(random, 2, () => extruder(random))) } } }),
  random => ({ device: { nozzle: { info: [nozzle(random)] } } }),
  random => ({ device: { ext_tool: { type: random.pick(['', 'F000', 'CP00']), mount_3d: random.int(4), calib: random.int(3) } } }),
  random => ({ t_utc: random.int(9), queue_number: random.int(9), job: { stage: [random.int(4)] } })
]

/** One to four patches that belong to one report. */
export const randomPatches = (random: Random): readonly Fields[] =>
  [...Array(1 + random.int(4))].map(() => random.pick(MAKERS)(random))

const module = (name: string, version: string, serial: string) => ({ name, product: '', version, hardware: '', serial })
const refusal = (random: Random) =>
  ({ command: 'x', amsId: 0, errorNumber: random.pick([0, 83_935_307]), reason: 'r', at: 1 })

type MemoryMake = (random: Random) => Partial<SessionContext>

const MEMORIES: readonly MemoryMake[] = [
  random => ({ modules: [module('ota', random.pick(['01.06.00.00', '01.07.00.00']), '')] }),
  random => ({ modules: [module('n3f/0', '1', random.pick(['19C', '006']))] }),
  random => ({ refusals: list(random, 2, () => refusal(random)) }),
  random => ({ dryers: { 0: { errorNumber: random.pick([0, 83_935_307]), reason: '', count: random.int(3), targetC: 55 } } }),
  random => ({ chamber: { targetC: random.pick([0, 45]), at: START + random.int(60_000) } }),
  random => ({ fanTargets: { part: random.int(101), enhanced: random.int(101) } }),
  random => ({ jobClock: { startedAt: random.pick([undefined, START]), endedAt: random.pick([undefined, START]) } }),
  random => ({ totalLayers: random.int(300) }),
  random => ({
    projectFile: {
      url: '',
      param: 'Metadata/plate_7.gcode',
      md5: '',
      bedType: '',
      subtaskName: 'a',
      taskId: random.pick(['0', '1', '12']),
      places: [{ amsId: 0, slot: random.int(4) }],
      useAms: random.pick([undefined, true]),
      acceptedAt: START
    }
  }),
  random => ({ seen: { hasAms: random.chance(0.5), hasChamberTemp: random.chance(0.5), hasSoundEnableSupport: true } }),
  random => ({
    start: random.pick([undefined, {
      taskId: '7', subtaskName: 'cube', at: START, accepted: true, before: undefined, outcome: undefined, printError: 0
    }])
  }),
  random => ({ signatureRefused: random.chance(0.5) }),
  random => ({ loaded: { 0: random.chance(0.5), 1: random.chance(0.5) } })
]

export const randomMemory = (random: Random): Partial<SessionContext> => random.pick(MEMORIES)(random)
