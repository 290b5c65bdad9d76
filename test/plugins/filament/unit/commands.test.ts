import t from 'tap'
import {
  calibrationAddress, control, describeTray, dry, loadFromHolder, loadFromOnlyHolder, loadFromUnit, NOTHING, readTag,
  readTagByGcode, resumePrint, selectCalibration, settingAddress, stopDrying, unload, userSettings
} from '../../../../plugins/filament/commands.js'

const print = (command: string, fields: object) => ({ section: 'print', command, ...fields })
const CHOICE = { curr_temp: -1, tar_temp: -1, soft_temp: 0 }

t.test('loading', async t => {
  t.strictSame(loadFromUnit({ amsId: 0, slot: 1 }),
    print('ams_change_filament', { ams_id: 0, slot_id: 1, target: 1, ...CHOICE }))
  t.strictSame(loadFromUnit({ amsId: 2, slot: 3 }),
    print('ams_change_filament', { ams_id: 2, slot_id: 3, target: 11, ...CHOICE }), 'the target counts over all units')
  t.strictSame(loadFromUnit({ amsId: 129, slot: 0 }),
    print('ams_change_filament', { ams_id: 129, slot_id: 0, target: 129, ...CHOICE }), 'an AMS HT is its own target')
  t.strictSame(loadFromOnlyHolder(),
    print('ams_change_filament', { ams_id: 255, slot_id: 254, target: 254, ...CHOICE }))
  for (const holder of [254, 255]) {
    t.strictSame(loadFromHolder(holder, 220, 250), print('ams_change_filament',
      { ams_id: holder, slot_id: 0, target: holder, curr_temp: 220, tar_temp: 250, soft_temp: 0 }))
  }
})

t.test('unloading carries both temperatures', async t => {
  t.strictSame(unload(128, 210), print('ams_change_filament',
    { ams_id: 128, slot_id: 255, target: 255, curr_temp: 210, tar_temp: 210 }))
})

t.test('reading tags, by command and as older firmware has it', async t => {
  t.strictSame(readTag({ amsId: 0, slot: 2 }), print('ams_get_rfid', { ams_id: 0, slot_id: 2 }))
  t.strictSame(readTagByGcode({ amsId: 1, slot: 2 }), print('gcode_line', { param: 'M620 R6\n' }))
})

t.test('control and settings', async t => {
  for (const param of ['pause', 'resume', 'reset', 'done', 'abort'] as const) {
    t.strictSame(control(param), print('ams_control', { param }))
  }
  t.strictSame(resumePrint, print('resume', { param: '' }))
  t.strictSame(
    userSettings({ startup_read_option: true, tray_read_option: false, calibrate_remain_flag: true }),
    print('ams_user_setting',
      { ams_id: -1, startup_read_option: true, tray_read_option: false, calibrate_remain_flag: true }))
})

t.test('a tray is addressed in two ways', async t => {
  const addresses = (amsId: number, slot: number, holder: boolean, dual: boolean) => [
    Object.values(settingAddress({ amsId, slot }, holder, dual)),
    Object.values(calibrationAddress({ amsId, slot }, holder, dual))
  ]
  t.strictSame(addresses(1, 1, false, false), [[1, 1, 1], [1, 1, 5]], 'within the unit, over all units')
  t.strictSame(addresses(128, 0, false, true), [[128, 0, 0], [128, 0, 0]])
  t.strictSame(addresses(254, 0, true, false), [[255, 0, 254], [254, 0, 254]], 'the only holder')
  t.strictSame(addresses(255, 0, true, false), [[255, 0, 254], [254, 0, 254]], 'by its other name')
  t.strictSame(addresses(254, 0, true, true), [[254, 0, 254], [254, 0, 254]], 'left')
  t.strictSame(addresses(255, 0, true, true), [[255, 0, 254], [255, 0, 255]], 'right')
})

t.test('choosing a calibration says what is known, and no more', async t => {
  const address = { ams_id: 1, slot_id: 1, tray_id: 5 }
  t.strictSame(selectCalibration(address, 2, { filament_id: 'GFA00', nozzle_diameter: '0.4' }),
    print('extrusion_cali_sel', { ...address, cali_idx: 2, filament_id: 'GFA00', nozzle_diameter: '0.4' }))
  t.strictSame(selectCalibration(address, -1, {}), print('extrusion_cali_sel', { ...address, cali_idx: -1 }))
})

t.test('describing a tray', async t => {
  const address = { ams_id: 0, slot_id: 1, tray_id: 1 }
  const pla = { id: 'GFA00', name: 'A00-R0', type: 'PLA', rgba: 'FF0000FF', minC: 190, maxC: 240 }
  t.strictSame(describeTray(address, pla), print('ams_filament_setting', {
    ...address,
    tray_info_idx: 'GFA00',
    tray_id_name: 'A00-R0',
    setting_id: '',
    tray_color: 'FF0000FF',
    nozzle_temp_min: 190,
    nozzle_temp_max: 240,
    tray_type: 'PLA'
  }))
  t.notOk('tray_color' in describeTray(address, { ...pla, rgba: undefined }), 'no colour is not sent')
  t.hasStrict(describeTray(address, NOTHING), {
    tray_info_idx: '',
    tray_id_name: '',
    tray_type: '',
    tray_color: 'FFFFFF00',
    nozzle_temp_min: 0,
    nozzle_temp_max: 0
  })
})

t.test('drying', async t => {
  t.strictSame(dry(128, { celsius: 55, hours: 4, filament: 'PLA', rotate: false }), print('ams_filament_drying', {
    ams_id: 128,
    mode: 1,
    filament: 'PLA',
    temp: 55,
    duration: 4,
    humidity: 0,
    rotate_tray: false,
    cooling_temp: 45,
    close_power_conflict: false
  }))
  t.strictSame(stopDrying(0), print('ams_filament_drying', {
    ams_id: 0,
    mode: 0,
    filament: '',
    temp: 0,
    duration: 0,
    humidity: 0,
    rotate_tray: false,
    cooling_temp: 0,
    close_power_conflict: false
  }))
})
