import type { Json } from '../json-merge.js'

/** Reported by both generations. */
const COMMON: Json = {
  wifi_signal: '-52dBm',
  sdcard: true,
  lifecycle: 'product',
  mess_production_state: 'active',
  force_upgrade: false,
  cali_version: 0,
  fail_reason: '0',
  queue_number: 0,
  queue_total: 0,
  queue_est: 0,
  queue_sts: 0,
  mc_print_sub_stage: 0,
  filam_bak: []
}

const LIGHT: Json = { node: 'chamber_light', mode: 'on' }
const TOOL_LIGHT: Json = { node: 'work_light', mode: 'flashing' }
const SECOND_LIGHT: Json = { node: 'chamber_light2', mode: 'on' }

/** P1 and A1: fields besides job, climate and filament. */
export const LEGACY_FIELDS: Json = {
  ...COMMON,
  k: '0.0000',
  lights_report: [LIGHT],
  ipcam: {
    ipcam_dev: '1',
    ipcam_record: 'disable',
    timelapse: 'disable',
    resolution: '1080p',
    tutk_server: 'disable',
    mode_bits: 3
  },
  online: { ahb: false, rfid: false, version: 1 },
  upload: { status: 'idle', progress: 0, message: '' },
  upgrade_state: {
    status: 'IDLE',
    progress: '',
    message: '0%, 0B/s',
    module: '',
    err_code: 0,
    dis_state: 0,
    new_version_state: 2,
    force_upgrade: false,
    consistency_request: false,
    new_ver_list: []
  }
}

/** X1 and everything newer. */
export const MODERN_FIELDS: Json = {
  ...COMMON,
  ver: '20010',
  aux_part_fan: true,
  xcam_status: '0',
  lights_report: [LIGHT, TOOL_LIGHT],
  xcam: {
    allow_skip_parts: false,
    buildplate_marker_detector: true,
    first_layer_inspector: true,
    halt_print_sensitivity: 'medium',
    print_halt: true,
    printing_monitor: true,
    spaghetti_detector: true
  },
  ipcam: {
    ipcam_dev: '1',
    ipcam_record: 'enable',
    timelapse: 'disable',
    resolution: '1080p',
    mode_bits: 2,
    tutk_server: 'disable',
    agora_service: 'disable',
    brtc_service: 'enable'
  },
  online: { ahb: true, ext: false, version: 10 },
  upload: {
    status: 'idle',
    progress: 0,
    message: 'Good',
    file_size: 0,
    finish_size: 0,
    speed: 0,
    time_remaining: 0,
    sequence_id: 0,
    oss_url: '',
    task_id: '',
    trouble_id: ''
  },
  upgrade_state: {
    status: 'IDLE',
    progress: '0',
    message: '',
    module: '',
    err_code: 0,
    dis_state: 0,
    new_version_state: 2,
    consistency_request: false,
    force_upgrade: false,
    ota_new_version_number: '',
    ams_new_version_number: '',
    cur_state_code: 0,
    idx: 0,
    idx2: 0,
    sn: '',
    new_ver_list: []
  },
  model_id: '',
  design_id: '',
  lan_task_id: '',
  canvas_id: 0,
  print_gcode_action: 255,
  print_real_action: 255,
  mc_action: 255,
  mc_err: 0,
  ap_err: 0,
  mc_print_error_code: '0',
  err: '0',
  job_attr: 0
}

/** The H2 generation adds a second chamber light and one word for all detectors (all on, medium). */
export const H2_FIELDS: Json = {
  ...MODERN_FIELDS,
  ver: '20018',
  lights_report: [LIGHT, TOOL_LIGHT, SECOND_LIGHT],
  xcam: { ...(MODERN_FIELDS.xcam as Json), cfg: 224695 },
  online: { ahb: true, ext: true, version: 10 }
}

/** The same without the air-printing detector, which the other members of the generation lack. */
export const H2_FIELDS_3: Json = { ...H2_FIELDS, xcam: { ...(MODERN_FIELDS.xcam as Json), cfg: 28087 } }
