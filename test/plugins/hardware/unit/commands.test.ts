import t from 'tap'
import {
  accessoryNozzle, codedNozzle, detector, firstLayer, nozzleCode, plateMarker, printOptions, refreshNozzles,
  selectExtruder
} from '../../../../plugins/hardware/commands.js'

t.test('detectors', async t => {
  const modules = [
    ['spaghetti', 'spaghetti_detector'], ['purgechutepileup', 'pileup_detector'],
    ['nozzleclumping', 'clump_detector'], ['airprinting', 'airprint_detector']
  ] as const
  for (const [name, module] of modules) {
    t.strictSame(detector(name, false, 'high'), {
      section: 'xcam',
      command: 'xcam_control_set',
      module_name: module,
      control: false,
      enable: false,
      print_halt: true,
      halt_print_sensitivity: 'high'
    })
  }
  t.strictSame(plateMarker(true), {
    section: 'xcam',
    command: 'xcam_control_set',
    module_name: 'buildplate_marker_detector',
    control: true,
    enable: true,
    print_halt: true
  })
  t.strictSame(firstLayer(true), {
    section: 'xcam',
    command: 'xcam_control_set',
    module_name: 'first_layer_inspector',
    control: true,
    enable: true,
    print_halt: false
  })
})

t.test('print options', async t => {
  const base = { section: 'print', command: 'print_option' }
  t.strictSame(printOptions({ auto_recovery: true }), { ...base, auto_recovery: true, option: 1 })
  t.strictSame(printOptions({ auto_recovery: false, sound_enable: true }),
    { ...base, auto_recovery: false, sound_enable: true, option: 0 })
  t.strictSame(printOptions({ air_print_detect: true }), { ...base, air_print_detect: true })
})

t.test('nozzles', async t => {
  t.strictSame(accessoryNozzle(0.4, 'hardened_steel'), {
    section: 'system',
    command: 'set_accessories',
    accessory_type: 'nozzle',
    nozzle_diameter: 0.4,
    nozzle_type: 'hardened_steel'
  })
  t.match(accessoryNozzle(0.2, 'e3d'), { nozzle_type: 'E3D' })
  t.strictSame(codedNozzle(1, 0.4, 'HH01'),
    { section: 'print', command: 'set_nozzle', id: 1, diameter: 0.4, type: 'HH01', wear: 0 })
  t.equal(nozzleCode('stainless_steel', 'standard'), 'HS00')
  t.equal(nozzleCode('hardened_steel', 'high_flow'), 'HH01')
  t.equal(nozzleCode('tungsten_carbide', 'tpu_high_flow'), 'HU05')
  t.equal(nozzleCode('brass', 'standard'), undefined)
  t.strictSame(refreshNozzles, { section: 'print', command: 'refresh_nozzle' })
  t.strictSame(selectExtruder(1), { section: 'print', command: 'select_extruder', extruder_index: 1 })
})
