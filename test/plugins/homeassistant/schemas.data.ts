// What Home Assistant's MQTT integration takes, read in its schemas (components/mqtt: schemas.py and a file for each
// platform). A device may give some keys once for all its components.

const COMMON = ['platform', 'unique_id', 'name', 'availability', 'availability_mode', 'entity_category', 'icon',
  'enabled_by_default', 'default_entity_id', 'json_attributes_topic', 'json_attributes_template', 'qos', 'encoding']

export const DEVICE_DISCOVERY = ['device', 'origin', 'components', 'availability', 'availability_mode',
  'state_topic', 'command_topic', 'qos', 'encoding']
export const DEVICE = ['identifiers', 'connections', 'name', 'manufacturer', 'model', 'model_id', 'hw_version',
  'sw_version', 'serial_number', 'via_device', 'suggested_area', 'configuration_url']
export const ORIGIN = ['name', 'sw_version', 'support_url']

/** Keys that a component of a platform may have, beside those of every one. */
const KEYS = {
  binary_sensor: ['state_topic', 'value_template', 'device_class', 'payload_on', 'payload_off', 'expire_after',
    'off_delay', 'force_update'],
  button: ['command_topic', 'command_template', 'payload_press', 'device_class', 'retain'],
  event: ['state_topic', 'value_template', 'event_types', 'device_class'],
  fan: ['state_topic', 'state_value_template', 'command_topic', 'command_template', 'payload_on', 'payload_off',
    'percentage_command_topic', 'percentage_command_template', 'percentage_state_topic', 'percentage_value_template',
    'speed_range_min', 'speed_range_max', 'optimistic', 'retain'],
  image: ['image_topic', 'url_topic', 'url_template', 'content_type', 'image_encoding'],
  light: ['schema', 'state_topic', 'state_value_template', 'command_topic', 'payload_on', 'payload_off',
    'optimistic', 'retain'],
  number: ['state_topic', 'value_template', 'command_topic', 'command_template', 'min', 'max', 'step', 'mode',
    'unit_of_measurement', 'device_class', 'payload_reset', 'optimistic', 'retain'],
  select: ['state_topic', 'value_template', 'command_topic', 'command_template', 'options', 'optimistic', 'retain'],
  sensor: ['state_topic', 'value_template', 'device_class', 'state_class', 'unit_of_measurement', 'options',
    'suggested_display_precision', 'expire_after', 'force_update', 'last_reset_value_template'],
  update: ['state_topic', 'value_template', 'latest_version_topic', 'latest_version_template', 'command_topic',
    'payload_install', 'device_class', 'entity_picture', 'release_summary', 'release_url', 'title', 'retain']
} as const

export type Platform = keyof typeof KEYS
export const isPlatform = (name: string): name is Platform => Object.hasOwn(KEYS, name)
export const keysOf = (platform: Platform): readonly string[] => [...COMMON, ...KEYS[platform]]

/** Those without which a component is refused; `state_topic` may come from the device. */
export const REQUIRED: Readonly<Partial<Record<Platform, readonly string[]>>> = {
  button: ['command_topic'],
  event: ['event_types'],
  fan: ['command_topic'],
  image: ['image_topic'],
  light: ['command_topic'],
  number: ['command_topic'],
  select: ['command_topic', 'options']
}

/** Units that go with a class of sensors and numbers; null for none. Only those classes that are in use here. */
export const UNITS: Readonly<Record<string, readonly (string | null)[]>> = {
  duration: ['d', 'h', 'min', 's', 'ms'],
  enum: [null],
  humidity: ['%'],
  signal_strength: ['dB', 'dBm'],
  temperature: ['°C', '°F', 'K'],
  timestamp: [null]
}

export const BINARY_CLASSES = ['connectivity', 'door', 'problem', 'running', 'update']
export const UPDATE_CLASSES = ['firmware']
export const STATE_CLASSES = ['measurement', 'total', 'total_increasing']
export const CATEGORIES = ['config', 'diagnostic']
