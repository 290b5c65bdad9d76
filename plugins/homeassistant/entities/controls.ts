import type { PrinterState } from '../../../core/index.js'
import { FANS, hasFan, type Fan } from '../../climate/index.js'
import { SPEEDS } from '../../print/index.js'
import { valueOf, type Entity, type View } from './types.js'

export const PRESS = 'PRESS'
const ON = 'ON'
const OFF = 'OFF'

const NUMBER = /^-?\d{1,6}(\.\d{1,6})?$/
const numberOf = (payload: string): number | undefined => NUMBER.test(payload) ? Number(payload) : undefined

type Button = Pick<Entity, 'key' | 'name' | 'has'> & { readonly operation: string, readonly input?: object }

const button = ({ operation, input = {}, ...rest }: Button): Entity => ({
  ...rest,
  platform: 'button',
  config: (_view, topics) => ({ command_topic: topics.command(rest.key), payload_press: PRESS }),
  command: { operation, input: payload => payload === PRESS ? input : undefined }
})

/** Upper limit for models without a known one. */
const HOTTEST_C = 500

type Target = Pick<Entity, 'key' | 'name' | 'has'> & {
  readonly operation: string
  /** The highest target of the model, °C. */
  readonly max: (view: View) => number
  readonly now: (state: PrinterState) => number | undefined
  readonly input?: object
}

/** A target temperature. */
const target = ({ operation, max, now, input = {}, ...rest }: Target): Entity => ({
  ...rest,
  platform: 'number',
  config: (view, topics) => ({
    command_topic: topics.command(rest.key),
    value_template: valueOf(rest.key),
    device_class: 'temperature',
    unit_of_measurement: '°C',
    mode: 'box',
    min: 0,
    max: Math.min(max(view), HOTTEST_C),
    step: 1
  }),
  value: ({ state }) => now(state) ?? null,
  command: {
    operation,
    input (payload) {
      const celsius = numberOf(payload)
      return celsius === undefined ? undefined : { ...input, celsius }
    }
  }
})

const isDual = ({ state }: View): boolean => state.capabilities.hasDualExtruder
const extruderTarget = (id: number) => ({ extruders }: PrinterState) =>
  extruders.find(extruder => extruder.id === id)?.temperature.target

const nozzle = (key: string, name: string, extruder: number): Entity => target({
  key,
  name,
  has: isDual,
  operation: 'climate.setNozzleTarget',
  input: { extruder },
  max: ({ session }) => session.model.nozzleMaxC,
  now: extruderTarget(extruder)
})

const FAN_NAMES: Readonly<Record<Fan, string>> = {
  part_cooling: 'Part cooling fan', aux: 'Auxiliary fan', exhaust: 'Exhaust fan', enhanced_cooling: 'Enhanced cooling fan'
}
const SPEED_OF: Readonly<Record<Fan, (state: PrinterState) => number>> = {
  part_cooling: ({ fans }) => fans.part,
  aux: ({ fans }) => fans.aux,
  exhaust: ({ fans }) => fans.exhaust,
  enhanced_cooling: ({ fans }) => fans.enhancedTarget
}

/** One topic takes both the switch and the speed in percent. */
function fanInput (fan: Fan, payload: string): object | undefined {
  const percent = payload === ON ? 100 : payload === OFF ? 0 : numberOf(payload)
  return percent === undefined ? undefined : { fan, percent }
}

const fanEntity = (fan: Fan): Entity => ({
  key: `${fan}_fan`,
  platform: 'fan',
  name: FAN_NAMES[fan],
  has: ({ session }) => hasFan(session, fan),
  config: (_view, topics) => ({
    command_topic: topics.command(`${fan}_fan`),
    state_value_template: `{{ '${ON}' if value_json.${fan}_fan > 0 else '${OFF}' }}`,
    percentage_command_topic: topics.command(`${fan}_fan`),
    percentage_state_topic: topics.state,
    percentage_value_template: valueOf(`${fan}_fan`)
  }),
  value: ({ state }) => SPEED_OF[fan](state),
  command: { operation: 'climate.setFan', input: payload => fanInput(fan, payload) }
})

const light: Entity = {
  key: 'light',
  platform: 'light',
  name: 'Light',
  has: ({ session }) => session.model.lights.length > 0,
  config: (_view, topics) => ({ command_topic: topics.command('light'), state_value_template: valueOf('light') }),
  value ({ state: { lights } }) {
    if (lights.mode === '') return null
    return lights.mode === 'off' ? OFF : ON
  },
  command: {
    operation: 'climate.setLight',
    input: payload => payload === ON || payload === OFF ? { on: payload === ON } : undefined
  }
}

const speed: Entity = {
  key: 'speed',
  platform: 'select',
  name: 'Speed',
  config: (_view, topics) =>
    ({ command_topic: topics.command('speed'), value_template: valueOf('speed'), options: SPEEDS }),
  value: ({ state }) => SPEEDS[state.job.speedLevel - 1] ?? null,
  command: { operation: 'print.setSpeed', input: level => ({ level }) }
}

export const controls: readonly Entity[] = [
  button({ key: 'pause', name: 'Pause', operation: 'print.pause' }),
  button({ key: 'resume', name: 'Resume', operation: 'print.resume' }),
  button({ key: 'stop', name: 'Stop', operation: 'print.stop' }),
  button({ key: 'clear_error', name: 'Clear error', operation: 'print.clearError' }),
  button({ key: 'unload', name: 'Unload filament', operation: 'filament.unloadWhenIdle' }),
  button({ key: 'toggle_nozzle', name: 'Toggle active nozzle', has: isDual, operation: 'climate.toggleActiveTool' }),
  target({
    key: 'bed_target',
    name: 'Bed target',
    operation: 'climate.setBedTarget',
    max: ({ session }) => session.model.bedMaxC,
    now: ({ heat }) => heat.bed.target
  }),
  target({
    key: 'nozzle_target',
    name: 'Nozzle target',
    has: view => !isDual(view),
    operation: 'climate.setNozzleTarget',
    max: ({ session }) => session.model.nozzleMaxC,
    now: ({ heat }) => heat.nozzle.target
  }),
  nozzle('right_nozzle_target', 'Right nozzle target', 0),
  nozzle('left_nozzle_target', 'Left nozzle target', 1),
  target({
    key: 'chamber_target',
    name: 'Chamber target',
    has: ({ session }) => session.model.chamberHeater !== null,
    operation: 'climate.setChamberTarget',
    max: ({ session }) => session.model.chamberMaxC,
    now: ({ heat }) => heat.chamber.target
  }),
  speed,
  light,
  ...FANS.map(fanEntity)
]
