import { OFFLINE, ONLINE } from '../topics.js'
import { VERDICTS } from '../../alerts/index.js'
import { sensor } from './sensors.js'
import type { Entity } from './types.js'

/** Of an alert that the list does not have, such as one of another plugin. */
export const OTHER_ALERT = 'other'
/** A command that came over MQTT was not carried out. */
export const REFUSED = 'command_refused'

export const EVENT_TYPES: readonly string[] = [
  'job_started', 'job_finished', 'job_failed', 'job_paused', 'job_resumed', 'stage_change',
  'hms_error_new', 'hms_error_cleared', 'health_escalated', 'health_recovered', REFUSED, OTHER_ALERT
]

/** Whether the service receives reports; shown also while it does not. */
const connected = (status: string): Entity => ({
  key: 'connected',
  platform: 'binary_sensor',
  name: 'Connected',
  config: (_view, topics) => ({
    state_topic: topics.availability,
    payload_on: ONLINE,
    payload_off: OFFLINE,
    device_class: 'connectivity',
    entity_category: 'diagnostic',
    availability: [{ topic: status }]
  })
})

const alert: Entity = {
  key: 'alert',
  platform: 'event',
  name: 'Alert',
  config: (_view, topics) => ({ state_topic: topics.alert, event_types: EVENT_TYPES })
}

/** Without a command: a printer's firmware is not installed from here. */
const firmware: Entity = {
  key: 'firmware',
  platform: 'update',
  name: 'Firmware',
  has: ({ state }) => state.firmware.printer !== '',
  config: {
    device_class: 'firmware',
    entity_category: 'diagnostic',
    value_template: '{{ {"installed_version": value_json.firmware[0], "latest_version": value_json.firmware[1]} | to_json }}'
  },
  value: ({ state: { firmware: { printer, newVersion } } }) => [printer, newVersion === '' ? printer : newVersion]
}

/** What the job monitor makes of the print. */
export const health = sensor({
  key: 'print_health',
  name: 'Print health',
  config: { device_class: 'enum', options: VERDICTS },
  value: ({ verdict }) => verdict ?? null
})

const image: Entity = {
  key: 'image',
  platform: 'image',
  name: 'Camera',
  config: (_view, topics) => ({ image_topic: topics.image, content_type: 'image/jpeg' })
}

/** @param status topic that says whether the service is there */
export const specials = (status: string, hasImage: Entity['has']): Entity[] =>
  [connected(status), alert, firmware, ...(hasImage === undefined ? [] : [{ ...image, has: hasImage }])]
