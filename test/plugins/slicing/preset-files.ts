import { writeZip } from '../../../plugins/emulator/sample-sd-card/index.js'

/** Presets as the desktop slicers keep them: those of a vendor build on templates, those of people on the vendor's. */
export const VENDOR = {
  machineCommon: {
    type: 'machine',
    name: 'fdm_machine_common',
    from: 'system',
    instantiation: 'false',
    gcode_flavor: 'marlin',
    machine_max_force_Y: '0',
    wrapping_exclude_area: [],
    nozzle_diameter: ['0.4'],
    printable_area: ['0x0', '256x0', '256x256', '0x256'],
    printable_height: '250',
    machine_start_gcode: 'G28\nM109 S[nozzle_temperature_initial_layer]'
  },
  machine: {
    type: 'machine',
    name: 'Maker P1S 0.4 nozzle',
    from: 'system',
    instantiation: 'true',
    inherits: 'fdm_machine_common',
    printer_model: 'Bambu Lab P1S'
  },
  processCommon: {
    type: 'process', name: 'fdm_process_common', from: 'system', instantiation: 'false', wall_loops: '2', layer_height: '0.3'
  },
  process: {
    type: 'process',
    name: '0.20mm Standard @Maker',
    from: 'system',
    instantiation: 'true',
    inherits: 'fdm_process_common',
    layer_height: '0.2',
    sparse_infill_density: '15%',
    compatible_printers: ['Maker P1S 0.4 nozzle', 'Maker X1 0.4 nozzle']
  },
  filamentCommon: {
    type: 'filament',
    name: 'fdm_filament_common',
    from: 'system',
    instantiation: 'false',
    filament_type: ['PLA'],
    nozzle_temperature: ['210'],
    filament_density: ['1.24']
  },
  template: {
    type: 'filament', name: 'fdm_filament_template', from: 'system', instantiation: 'false', filament_flow_ratio: ['0.95'], nozzle_temperature: ['215']
  },
  filament: {
    type: 'filament',
    name: 'Maker PLA @P1S',
    from: 'system',
    instantiation: 'true',
    inherits: 'fdm_filament_common',
    include: ['fdm_filament_template'],
    filament_id: 'GFA00',
    nozzle_temperature_initial_layer: ['225'],
    hot_plate_temp: ['55'],
    textured_plate_temp_initial_layer: ['65'],
    compatible_printers: ['Maker P1S 0.4 nozzle']
  }
} as const

/** Presets of a person do not say their type. */
export const MINE = {
  machine: {
    from: 'User',
    name: 'My P1S',
    inherits: 'Maker P1S 0.4 nozzle',
    printer_settings_id: 'My P1S',
    printhost_apikey: 'plain-key',
    print_host: '10.0.0.9',
    bed_custom_texture: '/srv/picture.svg'
  },
  process: {
    from: 'User',
    name: 'My walls',
    inherits: '0.20mm Standard @Maker',
    print_settings_id: 'My walls',
    wall_loops: '4',
    print_sequence: 'by object',
    post_process: ["/bin/sh -c 'touch /tmp/never'"],
    notes: 'mine'
  },
  filament: {
    from: 'User', name: 'My PLA', inherits: 'Maker PLA @P1S', filament_settings_id: ['My PLA'], nozzle_temperature: ['230'], default_filament_colour: ['#112233']
  }
} as const

export const all = [...Object.values(VENDOR), ...Object.values(MINE)]

/** A bundle as the desktop slicers export it. */
export const bundleOf = (presets: readonly object[], names = (at: number) => `preset/${at}.json`): Buffer => writeZip([
  { name: 'bundle_structure.json', content: Buffer.from(JSON.stringify({ bundle_type: 'printer config bundle', version: '2.3.1' })) },
  ...presets.map((preset, at) => ({ name: names(at), content: Buffer.from(JSON.stringify(preset)) }))
])
