/**
 * Types of the fields of a `push_status` report that are decoded.
 *
 * `n` number, also as text · `s` text, also a number · `w` word · `b` boolean, 0 or 1, or a word for it
 * · `x` hexadecimal word · `a` anything. An object lists its fields; a `list` is replaced as a whole unless it has a
 * `key`, by which its entries are merged; one with all keys of `whole` is a complete list. Other fields are stored
 * unchanged.
 */
export type Kind = 'n' | 's' | 'w' | 'b' | 'x' | 'a'
export interface ObjectShape { readonly fields: Readonly<Record<string, Shape>> }
export interface ListShape {
  readonly list: Shape
  readonly key?: string
  readonly whole?: readonly string[]
  readonly tray?: true
}
export type Shape = Kind | ObjectShape | ListShape

const n = 'n'; const s = 's'; const w = 'w'
const b = 'b'; const x = 'x'; const a = 'a'

const tray: ObjectShape = {
  fields: {
    id: s,
    state: n,
    tray_type: s,
    tray_sub_brands: s,
    tray_info_idx: s,
    tray_id_name: s,
    tray_color: s,
    cols: { list: s },
    ctype: n,
    nozzle_temp_min: n,
    nozzle_temp_max: n,
    bed_temp: n,
    bed_temp_type: n,
    drying_temp: n,
    drying_time: n,
    tray_temp: n,
    tray_time: n,
    remain: n,
    total_len: n,
    tray_weight: n,
    tray_diameter: n,
    tag_uid: s,
    tray_uuid: s,
    cali_idx: n,
    k: n,
    n,
    xcam_info: s
  }
}

const unit: ObjectShape = {
  fields: {
    id: s,
    humidity: n,
    humidity_raw: n,
    temp: n,
    info: x,
    dry_time: n,
    dry_setting: { fields: { dry_duration: n, dry_filament: s, dry_temperature: n } },
    dry_sf_reason: { list: n },
    tray: { list: tray, key: 'id', tray: true }
  }
}

const device: ObjectShape = {
  fields: {
    type: n,
    bed_temp: n,
    cham_temp: n,
    fan: n,
    bed: { fields: { info: { fields: { temp: n } }, state: n } },
    ctc: { fields: { info: { fields: { temp: n } }, state: n } },
    airduct: {
      fields: {
        modeCur: n,
        subMode: n,
        modeList: { list: a },
        parts: {
          list: { fields: { id: n, state: n, tar_state: n, range: n, func: n } },
          key: 'id',
          whole: ['16', '32'] // a list with the part fan and the auxiliary fan is complete
        }
      }
    },
    extruder: {
      fields: {
        state: n,
        info: {
          list: {
            fields: {
              id: n, temp: n, info: n, stat: n, snow: n, star: n, spre: n, hnow: n, htar: n, hpre: n
            }
          },
          key: 'id'
        }
      }
    },
    nozzle: {
      fields: {
        exist: n,
        state: n,
        info: { list: { fields: { id: n, diameter: n, type: s, wear: n } }, key: 'id' }
      }
    },
    ext_tool: { fields: { type: s, mount: n, mount_3d: n, calib: n, low_prec: b, th_temp: n } }
  }
}

const PRINT: ObjectShape = {
  fields: {
    command: s,
    msg: n,
    sequence_id: s,
    gcode_state: w,
    mc_percent: n,
    mc_remaining_time: n,
    percent: n,
    remain_time: n,
    layer_num: n,
    total_layer_num: n,
    '3D': { fields: { layer_num: n, total_layer_num: n } },
    gcode_file_prepare_percent: n,
    prepare_per: n,
    gcode_file: s,
    file: s,
    subtask_name: s,
    subtask_id: s,
    task_id: s,
    project_id: s,
    profile_id: s,
    job_id: s,
    print_type: s,
    plate_id: n,
    plate_idx: n,
    plate_cnt: n,
    gcode_start_time: n,
    stg: { list: n },
    stg_cur: n,
    stg_cd: n,
    spd_lvl: n,
    spd_mag: n,
    s_obj: { list: n },
    mapping: { list: n },
    print_error: n,
    fail_reason: n,
    hms: { list: { fields: { attr: n, code: n } } },
    nozzle_temper: n,
    nozzle_target_temper: n,
    bed_temper: n,
    bed_target_temper: n,
    chamber_temper: n,
    ctt: n,
    info: { fields: { temp: n } },
    cooling_fan_speed: n,
    big_fan1_speed: n,
    big_fan2_speed: n,
    heatbreak_fan_speed: n,
    fan_gear: n,
    aux_part_fan: b,
    device,
    lights_report: { list: { fields: { node: w, mode: w } }, key: 'node' },
    wifi_signal: s,
    sdcard: a,
    hw_switch_state: n,
    online: { fields: { ahb: b, rfid: b, ext: b, version: n } },
    net: { fields: { conf: n, info: { list: { fields: { ip: n, mask: n } } } } },
    ipcam: {
      fields: { ipcam_dev: s, ipcam_record: s, timelapse: s, resolution: s, rtsp_url: s, mode_bits: n }
    },
    xcam: {
      fields: {
        cfg: n,
        spaghetti_detector: b,
        pileup_detector: b,
        clump_detector: b,
        airprint_detector: b,
        buildplate_marker_detector: b,
        printing_monitor: b,
        first_layer_inspector: b,
        halt_print_sensitivity: s,
        print_halt: b
      }
    },
    upgrade_state: { fields: { status: s, progress: n, ota_new_version_number: s, new_version_state: n } },
    upload: { fields: { status: s, progress: n, message: s } },
    nozzle_diameter: s,
    nozzle_type: s,
    cali_version: n,
    flag3: n,
    home_flag: n,
    fun: x,
    fun2: x,
    cfg: x,
    aux: x,
    stat: x,
    ams_status: n,
    ams_rfid_status: n,
    ams: {
      fields: {
        ams: { list: unit, key: 'id' },
        ams_exist_bits: x,
        tray_exist_bits: x,
        tray_is_bbl_bits: x,
        tray_read_done_bits: x,
        tray_reading_bits: x,
        tray_hall_out_bits: x,
        tray_now: n,
        tray_tar: n,
        tray_pre: n,
        insert_flag: b,
        power_on_flag: b,
        calibrate_remain_flag: b,
        version: n
      }
    },
    vt_tray: tray,
    vir_slot: { list: tray }
  }
}

/** Without inherited members: an external field may be called `constructor`. */
function bare (shape: Shape): Shape {
  if (typeof shape === 'string') return shape
  if ('list' in shape) return { ...shape, list: bare(shape.list) }
  const fields: Record<string, Shape> = Object.create(null)
  for (const [name, inner] of Object.entries(shape.fields)) fields[name] = bare(inner)
  return { fields }
}

export const REPORT = bare(PRINT) as ObjectShape
