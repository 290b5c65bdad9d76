import { isActive, isCancelledByPerson, rankFaults, type Fault, type PrinterState } from '../../../core/index.js'
import { valueOf, type Entity } from './types.js'

type Sensor = Omit<Entity, 'platform' | 'config' | 'command'> & { readonly config?: Readonly<Record<string, unknown>> }

/** A number or text that the printer reports. */
export const sensor = ({ config = {}, ...rest }: Sensor): Entity =>
  ({ ...rest, platform: 'sensor', config: { ...config, value_template: valueOf(rest.key) } })

/** True or false, and null while unknown. */
export const binarySensor = ({ config = {}, ...rest }: Sensor): Entity => ({
  ...rest,
  platform: 'binary_sensor',
  config: { ...config, value_template: valueOf(rest.key), payload_on: 'True', payload_off: 'False' }
})

export const TEMPERATURE = { device_class: 'temperature', unit_of_measurement: '°C', state_class: 'measurement' }
export const PERCENT = { unit_of_measurement: '%', state_class: 'measurement' }
export const MINUTES = { device_class: 'duration', unit_of_measurement: 'min' }
export const DIAGNOSTIC = { entity_category: 'diagnostic' }

/** Rounds to tenths; finer steps would only fill Home Assistant's recorder. */
export const tenths = (celsius: number): number => Math.round(celsius * 10) / 10

const STATUSES = ['idle', 'prepare', 'running', 'pause', 'finish', 'failed', 'cancelled', 'slicing', 'init']

function statusOf ({ job }: PrinterState): string | null {
  const status = job.cancelled ? 'cancelled' : job.gcodeState.toLowerCase()
  return STATUSES.includes(status) ? status : null
}

/** The most severe present fault. */
const presentFault = ({ errors }: PrinterState): Fault | undefined =>
  rankFaults(errors.faults).find(({ fault, active }) => active && !isCancelledByPerson(fault))?.fault

const orNull = (text: string): string | null => text === '' ? null : text

/** dBm; null without a signal, for example with a cable. */
function signalOf ({ device }: PrinterState): number | null {
  const [, dBm] = /^(-\d{1,3})dBm$/.exec(device.wifiSignal) ?? []
  return dBm === undefined ? null : Number(dBm)
}

const isDual = ({ capabilities }: PrinterState): boolean => capabilities.hasDualExtruder
const nozzleOf = ({ extruders }: PrinterState, id: number): number | null => {
  const actual = extruders.find(extruder => extruder.id === id)?.temperature.actual
  return actual === undefined ? null : tenths(actual)
}

export const sensors: readonly Entity[] = [
  sensor({
    key: 'print_status',
    name: 'Print status',
    config: { device_class: 'enum', options: STATUSES },
    value: ({ state }) => statusOf(state)
  }),
  sensor({ key: 'stage', name: 'Stage', value: ({ state }) => orNull(state.job.stage.name) }),
  sensor({ key: 'progress', name: 'Progress', config: PERCENT, value: ({ state }) => state.job.percent }),
  sensor({
    key: 'remaining_time', name: 'Remaining time', config: MINUTES, value: ({ state }) => state.job.remainingMinutes
  }),
  sensor({
    key: 'started_at',
    name: 'Started',
    config: { device_class: 'timestamp' },
    value: ({ state: { job } }) => job.startedAt === undefined ? null : new Date(job.startedAt).toISOString()
  }),
  sensor({ key: 'layer', name: 'Layer', value: ({ state }) => state.job.layer }),
  sensor({ key: 'total_layers', name: 'Total layers', value: ({ state }) => state.job.totalLayers }),
  sensor({ key: 'job_name', name: 'Job', value: ({ state }) => orNull(state.job.subtaskName) }),
  sensor({
    key: 'bed_temperature', name: 'Bed temperature', config: TEMPERATURE, value: ({ state }) => tenths(state.heat.bed.actual)
  }),
  sensor({
    key: 'nozzle_temperature',
    name: 'Nozzle temperature',
    config: TEMPERATURE,
    has: ({ state }) => !isDual(state),
    value: ({ state }) => tenths(state.heat.nozzle.actual)
  }),
  sensor({
    key: 'right_nozzle_temperature',
    name: 'Right nozzle temperature',
    config: TEMPERATURE,
    has: ({ state }) => isDual(state),
    value: ({ state }) => nozzleOf(state, 0)
  }),
  sensor({
    key: 'left_nozzle_temperature',
    name: 'Left nozzle temperature',
    config: TEMPERATURE,
    has: ({ state }) => isDual(state),
    value: ({ state }) => nozzleOf(state, 1)
  }),
  sensor({
    key: 'chamber_temperature',
    name: 'Chamber temperature',
    config: TEMPERATURE,
    has: ({ state }) => state.heat.chamber.sensor,
    value: ({ state }) => tenths(state.heat.chamber.actual)
  }),
  sensor({
    key: 'error',
    name: 'Error',
    config: DIAGNOSTIC,
    value: ({ state }) => orNull(presentFault(state)?.code ?? '')
  }),
  sensor({
    key: 'wifi_signal',
    name: 'Wi-Fi signal',
    config: { device_class: 'signal_strength', unit_of_measurement: 'dBm', state_class: 'measurement', ...DIAGNOSTIC },
    has: ({ state }) => signalOf(state) !== null,
    value: ({ state }) => signalOf(state)
  }),
  binarySensor({
    key: 'printing',
    name: 'Printing',
    config: { device_class: 'running' },
    value: ({ state }) => isActive(state.job.gcodeState)
  }),
  binarySensor({
    key: 'problem',
    name: 'Problem',
    config: { device_class: 'problem' },
    value: ({ state }) => presentFault(state) !== undefined
  }),
  binarySensor({
    key: 'door',
    name: 'Door',
    config: { device_class: 'door' },
    has: ({ state }) => state.doors.sensor,
    value: ({ state }) => state.doors.doorOpen
  })
]
