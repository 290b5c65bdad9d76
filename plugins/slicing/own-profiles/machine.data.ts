// Settings of PrusaSlicer that are the same for all models, materials and qualities.

/** What kind of toolpaths it writes. */
export const FLAVOUR = {
  printer_technology: 'FFF',
  gcode_flavor: 'marlin',
  use_relative_e_distances: true,
  remaining_times: true,
  gcode_label_objects: true,
  machine_limits_usage: 'time_estimate_only',
  silent_mode: false,
  gcode_comments: false,
  output_filename_format: 'plate.gcode',
  use_firmware_retraction: false,
  thumbnails: ''
}
/** Careful limits of the machine, by which time is estimated: mm/s, and mm/s² for accelerations. */
export const LIMITS = {
  machine_max_feedrate_x: 500,
  machine_max_feedrate_y: 500,
  machine_max_feedrate_z: 20,
  machine_max_feedrate_e: 30,
  machine_max_acceleration_x: 10_000,
  machine_max_acceleration_y: 10_000,
  machine_max_acceleration_z: 500,
  machine_max_acceleration_e: 5_000,
  machine_max_acceleration_extruding: 10_000,
  machine_max_acceleration_retracting: 5_000,
  machine_max_acceleration_travel: 10_000,
  machine_max_jerk_x: 9,
  machine_max_jerk_y: 9,
  machine_max_jerk_z: 3,
  machine_max_jerk_e: 2.5
}
/** mm/s² */
export const ACCELERATION = {
  first_layer_acceleration: 500,
  perimeter_acceleration: 3_000,
  infill_acceleration: 4_000,
  bridge_acceleration: 1_000,
  default_acceleration: 4_000
}
/** mm and mm/s */
export const RETRACTION = {
  retract_length: 0.8,
  retract_speed: 30,
  deretract_speed: 30,
  retract_before_travel: 2,
  retract_layer_change: true,
  retract_lift: 0.4,
  wipe: true,
  retract_before_wipe: '70%'
}
