import { OFFLINE, ONLINE } from '../topics.js'
import { VERDICTS } from '../../alerts/index.js'
import { sensor } from './sensors.js'
import type { Entity } from './types.js'

/** For alerts that are not in the list, such as those of other plugins. */
export const OTHER_ALERT = 'other'
/** A command over MQTT was not carried out. */
export const REFUSED = 'command_refused'

export const EVENT_TYPES: readonly string[] = [
  'job_started', 'job_finished', 'job_failed', 'job_paused', 'job_resumed', 'stage_change',
  'hms_error_new', 'hms_error_cleared', 'health_escalated', 'health_recovered', REFUSED, OTHER_ALERT
]

/** Whether reports are received; its availability depends on the service only. */
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

/** Without a command, because firmware cannot be installed over this service. */
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

/** The verdict of the job monitor. */
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

/** @param status topic with the availability of the service */
export const specials = (status: string, hasImage: Entity['has']): Entity[] =>
  [connected(status), alert, firmware, ...(hasImage === undefined ? [] : [{ ...image, has: hasImage }])]
