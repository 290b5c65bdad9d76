import { Type } from 'typebox'
import { AMS_MODELS, DRYER_STATES, SERVICE_STATES } from '../../core/index.js'
import { ModelLimits } from './models.js'
import { CAPABILITY_NAMES, DETECTOR_NAMES, snake } from './document/config.js'
import type { StateDocument } from './document/index.js'

const Text = (description: string) => Type.String({ description })
const Yes = (description: string) => Type.Boolean({ description })
const Whole = (description: string) => Type.Integer({ description })
const Celsius = (description: string) => Type.Number({ description: `${description}, °C` })
const Percent = (description: string) => Type.Number({ description: `${description}, percent` })
const OnOff = Type.Enum(['ON', 'OFF'])
const OrNull = <T extends object>(schema: T, description: string) =>
  Type.Union([schema as never, Type.Null()], { description })

const TrayState = Type.Enum(['UNLOADED', 'LOADED', 'LOADING', 'UNLOADING'])
const Tool = (description: string) => Type.Enum(['SINGLE_EXTRUDER', 'RIGHT_EXTRUDER', 'LEFT_EXTRUDER', 'NOT_ACTIVE'], { description })

export const Fault = Type.Object({
  code: Text('Such as HMS_0300-0100-0001-0007 or HMS_0300-400C; empty for a refusal without a number'),
  msg: Text('What it means'),
  detail: Type.Optional(Text('The same as a longer sentence')),
  module: Text('Part of the printer'),
  severity: Text('Fatal, Error, Warning, Info; Historical where it is not active any more'),
  is_critical: Yes('The print cannot continue'),
  ignored: Type.Optional(Yes('Ignored on this printer by a user')),
  cancelled: Type.Optional(Yes('Listed next to the number of a job that a person cancelled: raises no alert')),
  type: Type.Enum(['device_error', 'device_hms', 'command_error'], {
    description: 'An error with a dialog, an entry of the health list, or a command that the printer refused'
  }),
  url: Text("The vendor's page; empty where there is none"),
  actions: Type.Optional(Type.Array(Type.Object({
    id: Whole('Number of the button'),
    name: Text("The vendor's name of it"),
    label: Text('What is written on it'),
    command: Text('What may be sent for it: resume, done, abort, clean_print_error, assistant or close; empty for nothing')
  }), { description: 'Buttons of the dialog; device_error only' })),
  command: Type.Optional(Text('The refused command; command_error only')),
  ams_id: Type.Optional(Whole('The unit it was for, -1 none; command_error only')),
  timestamp: Type.Optional(Type.Number({ description: 'When it was refused, s since the epoch; command_error only' }))
}, { 'x-name': 'Fault' })

const Dryer = Type.Object({
  state: Type.Enum(DRYER_STATES),
  sub_status: Type.Enum(['OFF', 'HEATING', 'DEHUMIDIFY']),
  fan1_status: OnOff,
  fan2_status: OnOff,
  remaining_minutes: Whole('Until it is done, min'),
  temp_target: Celsius('Target, -1 while it is off'),
  duration_target_hours: Type.Number({ description: 'Chosen time, h; -1 while it is off' }),
  filament_target: Text('Type of filament it was set for; empty while it is off'),
  refusals: Type.Array(Type.Integer(), { description: 'Why it cannot dry now, as numbers; empty: it can; 6: it dries' }),
  refusal_message: Text('The same in words; empty when it can'),
  fail_code: Text('Of the last refused command; empty after one that was accepted'),
  fail_message: Text('The same in words'),
  fail_count: Whole('Refused commands so far')
}, { 'x-name': 'Dryer' })

export const AmsUnit = Type.Object({
  ams_id: Whole('Id as reported: 0 first AMS, 128 first AMS HT'),
  chip_id: Text('Serial number of the unit'),
  model: Type.Enum(AMS_MODELS),
  temp_actual: Celsius('Measured in the unit'),
  humidity_index: Whole('1 wet to 5 dry; 0 unknown'),
  humidity_raw: Percent('Relative humidity; 0 unknown'),
  ams_info: Whole('Bits as reported'),
  dryer: OrNull(Dryer, 'null: the unit has none'),
  tray_exists: Type.Array(Type.Boolean(), { description: 'By slot: there is a spool' }),
  assigned_to_extruder: Tool('The nozzle it feeds')
}, { 'x-name': 'AmsUnit' })

export const Spool = Type.Object({
  id: Whole('4 * unit + slot; AMS HT 16 to 23; external holders 254, 255'),
  slot_id: Whole('Slot within the unit; -1 a holder that the printer does not report'),
  ams_id: Whole('Unit as reported, AMS HT from 128; -1 external holders'),
  name: Text('Name of the filament; empty when unknown'),
  type: Text('Material, such as PLA; empty for an empty slot'),
  sub_brands: Text("The vendor's name of it"),
  color: Text('#RRGGBBAA, or the name of the colour for an exact match; #00000000 clear or unknown'),
  colors: Type.Array(Type.String(), { description: 'All its colours as #RRGGBBAA, the main one first; empty when unknown' }),
  translucent: Type.Boolean({ description: 'Light passes through it' }),
  color_known: Type.Boolean({ description: 'False: its colour is unknown' }),
  tray_info_idx: Text('Id in the filament catalogue'),
  k: Type.Number({ description: 'Flow dynamics factor' }),
  bed_temp: Celsius('Advised for the bed'),
  nozzle_temp_min: Celsius('Least for the nozzle'),
  nozzle_temp_max: Celsius('Most for the nozzle'),
  drying_temp: Celsius('Advised for drying'),
  drying_time: Type.Number({ description: 'Advised for drying, h' }),
  remaining_percent: Percent('What is left; -1 unknown'),
  state: Whole('Bits as reported'),
  total_length: Type.Number({ description: 'Of a full spool, mm; 0 unknown' }),
  tray_weight: Type.Number({ description: 'Of a full spool, g; 0 unknown' })
}, { 'x-name': 'Spool' })

const Nozzle = Type.Object({
  material: Type.Enum(['UNKNOWN', 'STAINLESS_STEEL', 'HARDENED_STEEL', 'TUNGSTEN_CARBIDE', 'BRASS', 'E3D']),
  diameter_mm: Type.Number({ description: 'mm; 0 unknown' }),
  flow: Type.Enum(['UNKNOWN', 'STANDARD', 'HIGH_FLOW', 'TPU_HIGH_FLOW']),
  encoded_id: Text("The vendor's short name, such as HS00-0.4"),
  telemetry_type_raw: Text('Type as reported')
}, { 'x-name': 'Nozzle' })

const Extruder = Type.Object({
  id: Whole('-1 the only one, 0 right, 1 left'),
  temp: Celsius('Measured'),
  temp_target: Celsius('Target; 0 off'),
  info_bits: Whole('As reported'),
  state: Type.Enum(['NO_NOZZLE', 'EMPTY', 'BUFFER_LOADED', 'LOADED', 'NOT_AVAILABLE']),
  status: Type.Enum(['IDLE', 'HEATING', 'ACTIVE', 'SUCCESS', 'NOT_AVAILABLE']),
  nozzle: Nozzle,
  active_tray_id: Whole('Slot within its unit that is loaded; 254, 255 holders; -1 none'),
  target_tray_id: Whole('Slot that is being loaded; -1 none'),
  tray_state: TrayState,
  assigned_to_ams_id: Whole('The unit that feeds it; -1 none')
}, { 'x-name': 'Extruder' })

const Climate = Type.Object({
  bed_temp: Celsius('Bed'),
  bed_temp_target: Celsius('Target of the bed; 0 off'),
  airduct_mode: Whole('-1 none, 0 cooling, 1 heating, 2 exhaust, 3 full cooling'),
  airduct_sub_mode: Whole('As reported; -1 none'),
  chamber_temp: Celsius('Chamber; 0 without a sensor'),
  chamber_temp_target: Celsius('Target of the chamber; 0 off'),
  air_conditioning_mode: Text('COOL_MODE, HEAT_MODE or NOT_SUPPORTED'),
  part_cooling_fan_speed_percent: Percent('Part-cooling fan'),
  part_cooling_fan_speed_target_percent: Percent('Target of the part-cooling fan'),
  aux_fan_speed_percent: Percent('Auxiliary fan'),
  exhaust_fan_speed_percent: Percent('Exhaust fan'),
  heatbreak_fan_speed_percent: Percent('Fan of the hotend'),
  enhanced_cooling_fan_target_percent: Percent('Enhanced cooling fan, as last commanded'),
  zone_intake_open: Yes('The intake flap of the air duct is open'),
  zone_part_fan_percent: Percent('Part-cooling fan of the air duct'),
  zone_aux_percent: Percent('Auxiliary fan of the air duct'),
  zone_exhaust_percent: Percent('Exhaust fan of the air duct'),
  zone_top_vent_open: Yes('Air leaves at the top'),
  is_chamber_door_open: Yes('False without a sensor'),
  is_chamber_lid_open: Yes('False without a sensor')
}, { 'x-name': 'ClimateState' })

export const ExtensionTool = Type.Object({
  tool_type: Type.Enum(['NONE', 'CUTTING_MODULE', 'LASER_MODULE', 'ENHANCED_COOLING_FAN', 'UNKNOWN']),
  mount_state: Type.Enum(['UNKNOWN', 'NOT_MOUNTED', 'MOUNTED', 'NO_MODULE', 'NO_CABLE']),
  mount_state_raw: Whole('The same as a number; -1 unknown'),
  calibration_raw: Whole('As reported'),
  type_raw: Text('As reported')
}, { 'x-name': 'ExtensionTool' })

export const PrinterState = Type.Object({
  gcode_state: Text('IDLE, PREPARE, RUNNING, PAUSE, FINISH, FAILED, SLICING or INIT; empty right after the printer started'),
  active_ams_id: Whole('Unit of the filament in use; 254, 255 holders; -1 none'),
  active_tray_id: Whole('Slot in use, 4 * unit + slot; within its unit if there are two nozzles; 254, 255 holders; -1 none'),
  active_tray_state: TrayState,
  active_tray_state_name: TrayState,
  target_tray_id: Whole('Slot that is being loaded; -1 none'),
  active_tool: Tool('The nozzle in use'),
  is_external_spool_active: Yes('The filament in use comes from a holder'),
  active_nozzle_temp: Celsius('Nozzle in use'),
  active_nozzle_temp_target: Celsius('Target of the nozzle in use; 0 off'),
  active_nozzle: OrNull(Nozzle, 'null: nothing is known of it'),
  ams_status_raw: Whole('As reported'),
  ams_status_text: Text('The same in words'),
  ams_exist_bits: Whole('A bit for each unit that is there'),
  ams_connected_count: Whole('Units that are there'),
  ams_units: Type.Array(AmsUnit),
  extruders: Type.Array(Extruder),
  spools: Type.Array(Spool, { description: 'Every slot, empty ones too, then the holders' }),
  print_error: Whole('Number of the error with a dialog; 0 none'),
  hms_errors: Type.Array(Fault),
  wifi_signal_strength: Text('As reported, such as -45dBm'),
  climate: Climate,
  extension_tool: ExtensionTool,
  stat: Text('Bits as reported, hexadecimal'),
  fun: Text('Bits as reported, hexadecimal')
}, { 'x-name': 'PrinterState' })

const SWITCHES = Object.fromEntries(['auto_recovery', 'filament_tangle_detect', 'sound_enable', 'auto_switch_filament',
  'nozzle_blob_detect', 'air_print_detect', 'startup_read_option', 'tray_read_option', 'calibrate_remain_flag',
  'buildplate_marker_detector', ...DETECTOR_NAMES].map(name => [name, Type.Boolean()]))

const Capabilities = Type.Object(
  Object.fromEntries(CAPABILITY_NAMES.map(name => [snake(name), Type.Boolean()])),
  { 'x-name': 'Capabilities', description: 'What the printer has and can do; false before its first report' })

const Config = Type.Object({
  hostname: Text('Address of the printer'),
  access_code: Text('Always asterisks'),
  serial_number: Text('Serial number'),
  mqtt_port: Whole('Port of its MQTT server'),
  mqtt_client_id: Text('Name that sessions give themselves'),
  mqtt_username: Text('User name of every printer'),
  mqtt_connection_timeout: Type.Number({ description: 's' }),
  watchdog_timeout: Type.Number({ description: 'Silence after which a connection counts as lost, s' }),
  external_chamber: Yes('Another program tells the temperature of the chamber'),
  bpm_cache_path: Type.Union([Type.String(), Type.Null()], { description: 'Always null' }),
  printer_model: Text('Such as A1_MINI, P1S, X1C, H2D'),
  firmware_version: Text('Of the printer; empty until reported'),
  ams_firmware_version: Text('Of the AMS named last; empty without one'),
  ...SWITCHES,
  ...Object.fromEntries(DETECTOR_NAMES.map(name => [`${name}_sensitivity`, Type.Enum(['low', 'medium', 'high'])])),
  verbose: Yes('Raw payloads are logged'),
  capabilities: Capabilities
}, { 'x-name': 'PrinterConfig', description: 'How the printer is configured; its options and detectors' })

const MaybeText = Type.Optional(Type.String())

export const JobRecord = Type.Object({
  subtask_name: Text('Name of the job'),
  gcode_file: Text("Path inside the printer, or the project's file name, by family"),
  plate_num: Whole('From 1; -1 unknown'),
  plate_type: Type.Enum(['AUTO', 'COOL_PLATE', 'ENG_PLATE', 'HOT_PLATE', 'TEXTURED_PLATE', 'SUPERTACK_PLATE', 'NONE']),
  cancelled: Yes('A person ended the job, which reads FAILED, IDLE or FINISH'),
  stage_id: Whole('What the printer is doing within the job'),
  stage_name: Text('The same in words'),
  current_layer: Whole('From 1; 0 none yet'),
  total_layers: Whole('0 unknown'),
  print_percentage: Percent('Progress'),
  elapsed_minutes: Whole('Whole minutes since the job began'),
  remaining_minutes: Whole('As the printer reckons'),
  remaining_minutes_by_moves: OrNull(Type.Integer(), 'By the moves that are left, at the pace so far; null unknown'),
  wall_start_time: Type.Number({ description: 's since the epoch; -1 while no job was seen to start' }),
  print_type: Text('local, cloud, system, idle or empty'),
  project_file_command: Type.Object(
    { url: MaybeText, param: MaybeText, md5: MaybeText, bed_type: MaybeText, subtask_name: MaybeText },
    { description: 'The command that started the job; empty where none was heard' }),
  project_info_fetch_attempted: Yes('The project was looked up on the card'),
  project_info: Type.Union([Type.Unsafe<object>({ 'x-ref': 'Project' }), Type.Null()], { description: 'null until it was found' })
}, { 'x-name': 'JobRecord' })

const TargetTime = (what: string) =>
  Type.Number({ description: `When the target of ${what} last changed, s since the epoch; 0 not yet` })
const Listing = Type.Union([Type.Unsafe<object>({ 'x-ref': 'CardEntry' }), Type.Null()], { description: 'The last listing; null when there is none' })

/** As `GET /api/printer` answers it. */
export const PrinterDocument = Type.Unsafe<StateDocument>(Type.Object({
  _config: Config,
  _limits: ModelLimits,
  _service_state: Type.Enum(SERVICE_STATES, { description: 'State of the session' }),
  _printer_state: PrinterState,
  _active_job_info: JobRecord,
  _recent_update: Yes('The report stream is alive'),
  _lastMessageTime: Type.Union([Type.Number(), Type.Null()], { description: 'Of the last report, s since the epoch' }),
  _light_state: Text('on, off or flashing; empty until reported'),
  _speed_level: Whole('1 quiet, 2 standard, 3 sport, 4 ludicrous; 0 until reported'),
  _print_type: Text('local, cloud, system, idle or empty'),
  _nozzle_type: Text('As reported'),
  _nozzle_diameter: Type.Number({ description: 'mm; 0 unknown' }),
  _skipped_objects: Type.Array(Type.Integer(), { description: 'identify_id of objects that the job leaves out' }),
  _sdcard_contents: Listing,
  _sdcard_3mf_files: Listing,
  _tool_temp_target_time: TargetTime('a nozzle'),
  _bed_temp_target_time: TargetTime('the bed'),
  _chamber_temp_target_time: TargetTime('the chamber'),
  _fan_speed_target_time: TargetTime('the part-cooling fan'),
  _internalException: Type.Union([Type.String(), Type.Null()], { description: 'Why there is no connection' })
}, { 'x-name': 'PrinterDocument' }))

interface Part { readonly properties?: Readonly<Record<string, Part>>, readonly [keyword: string]: unknown }

/** The same schema with no required members, also in nested objects. */
function partOf ({ 'x-name': _name, required: _required, ...schema }: Part): Part {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties)
    .map(([name, part]) => [name, part.properties === undefined ? part : partOf(part)])
  return { ...schema, properties: Object.fromEntries(properties) as Record<string, Part> }
}

/** Parts of the document selected by `fields`. */
export const PrinterParts = Type.Unsafe<object>({ ...partOf(PrinterDocument as unknown as Part), 'x-name': 'PrinterParts' })
