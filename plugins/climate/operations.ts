import { Type } from 'typebox'
import {
  BadInput, changeTool, createKeyedQueue, heatLimitsOf, operation, requireCurrentState, ToolChanging, Unsupported,
  type PrinterSession
} from '../../core/index.js'
import {
  activeExtruder, bedTarget, fanSpeed, light, MAIN_LIGHT, nozzleTarget, OTHER_LIGHTS, chamberTarget, ductFor
} from './commands.js'
import { hasFan } from './fans.js'
import { Celsius, Confirmation, Extruder, Fan, Percent } from './schemas.js'

/** Printers accept whole degrees only; negative targets become 0. */
const wholeDegrees = (celsius: number): number => Math.max(0, Math.trunc(celsius))

/**
 * The target to send. One above the limit of the model's firmware would be refused or, worse, obeyed.
 * @throws PRN_ERR_BAD_INPUT
 */
function targetWithin (maximum: number, what: string, celsius: number): number {
  const target = wholeDegrees(celsius)
  if (target > maximum) throw new BadInput(`temp must be at most ${maximum} °C for ${what}`)
  return target
}

export const setBedTarget = operation({
  name: 'climate.setBedTarget',
  summary: 'Set the target of the bed',
  effect: 'write',
  consequence: 'The bed heats or cools to that target at once; during a job this can ruin the adhesion.',
  sendsOnly: true,
  input: Type.Object({ celsius: Celsius }),
  output: Confirmation,
  run: ({ session }, { celsius }) => heatBed(session, celsius)
})

/** Sets the target of the bed within the limits of the model, for plugins that heat. @throws PRN_ERR_BAD_INPUT */
export function heatBed (session: PrinterSession, celsius: number): Promise<{ confirmed: boolean }> {
  const target = targetWithin(heatLimitsOf(session.model).bedMaxC, 'the bed of this model', celsius)
  return session.perform('to set the bed temperature', bedTarget(target))
}

export const setNozzleTarget = operation({
  name: 'climate.setNozzleTarget',
  summary: 'Set the target of a nozzle',
  effect: 'write',
  consequence: 'The hotend heats or cools to that target at once.',
  sendsOnly: true,
  input: Type.Object({
    celsius: Celsius,
    extruder: Type.Optional(Extruder)
  }),
  output: Confirmation,
  run ({ session }, { celsius, extruder = -1 }) {
    const target = targetWithin(heatLimitsOf(session.model).nozzleMaxC, 'the nozzle of this model', celsius)
    return session.perform('to set the nozzle temperature', nozzleTarget(target, toolOf(session, extruder)))
  }
})

/** Single-extruder printers take no tool number; asking for their second extruder is an error. */
function toolOf (session: PrinterSession, extruder: number): number | undefined {
  if (isDual(session)) return extruder === -1 ? undefined : extruder
  if (extruder === 1) throw new Unsupported(`'${session.name}' has a single extruder`)
  return undefined
}

const isDual = ({ state, model }: PrinterSession) => state?.capabilities.hasDualExtruder ?? model.extruders > 1

/** A heater of one's own obeys whatever it is told; no enclosure is meant to be hotter. */
const EXTERNAL_CHAMBER_MAX_C = 100

const STORED = 'nothing was sent, the target is only stored for an external chamber'

export const setChamberTarget = operation({
  name: 'climate.setChamberTarget',
  summary: 'Set the target of the chamber',
  effect: 'write',
  consequence: 'Starts or stops chamber heating where the model has it; elsewhere only the stored target changes.',
  sendsOnly: true,
  input: Type.Object({ celsius: Celsius }),
  output: Type.Object({
    ...Confirmation.properties,
    note: Type.Optional(Type.String({ description: 'What was not done, where nothing was sent' }))
  }),
  async run ({ session }, { celsius }) {
    if (session.model.chamberHeater === null) {
      session.rememberChamberTarget(targetWithin(EXTERNAL_CHAMBER_MAX_C, 'a chamber heater of your own', celsius))
      return { confirmed: true, note: `'${session.name}' has no chamber heater: ${STORED}` }
    }
    return await heatChamber(session, celsius)
  }
})

export const setFan = operation({
  name: 'climate.setFan',
  summary: 'Set the speed of a fan',
  effect: 'write',
  consequence: 'Cooling or ventilation changes at once, also for a running print.',
  sendsOnly: true,
  input: Type.Object({ fan: Fan, percent: Percent }),
  output: Confirmation,
  errors: [Unsupported],
  run ({ session }, { fan, percent }) {
    checkFan(session, fan)
    return session.perform(`to set the ${fan} fan`, fanSpeed(fan, percent))
  }
})

export const setLight = operation({
  name: 'climate.setLight',
  summary: 'Switch the chamber light',
  effect: 'write',
  consequence: 'All chamber lights are switched.',
  sendsOnly: true,
  input: Type.Object({ on: Type.Boolean() }),
  output: Confirmation,
  run: ({ session }, { on }) =>
    session.perform('to switch the light', light(MAIN_LIGHT, on), OTHER_LIGHTS.map(node => light(node, on)))
})

export const toggleActiveTool = operation({
  name: 'climate.toggleActiveTool',
  summary: 'Swap the active extruder between 0 (right) and 1 (left)',
  effect: 'write',
  consequence: 'The tool head moves to change the active nozzle.',
  sendsOnly: true,
  input: Type.Object({
    tool: Type.Optional(Type.Integer({
      minimum: 0, maximum: 1, description: 'The wanted one, 0 right, 1 left; left out: the other one'
    }))
  }),
  output: Confirmation,
  guards: [requireCurrentState],
  errors: [Unsupported, ToolChanging],
  async run ({ session }, { tool: wanted }) {
    if (!isDual(session)) throw new Unsupported(`'${session.name}' has a single extruder`)
    const tool = session.state?.activeTray.tool
    if (tool !== 0 && tool !== 1) throw new ToolChanging(session.name)
    const next = wanted ?? 1 - tool
    if (next === tool) return { confirmed: true } // somebody else has changed it meanwhile
    return await changeTool(session, next, () => session.perform('to change the active tool', activeExtruder(next)))
  }
})

const WHAT = 'to set the chamber temperature'

/** Serialises callers, so that none intervenes between a target and its air duct. */
const chamberQueue = createKeyedQueue<PrinterSession>()

/**
 * Sets the target of a chamber that the printer heats, within the limits of the model, and then the air duct, unless
 * the printer refused the target. For plugins that heat.
 * @throws PRN_ERR_BAD_INPUT, PRN_ERR_UNSUPPORTED
 */
export async function heatChamber (session: PrinterSession, celsius: number): Promise<{ confirmed: boolean }> {
  const { chamberHeater, chamberMaxC } = session.model
  if (chamberHeater === null) throw new Unsupported(`'${session.name}' has no chamber heater`)
  const target = targetWithin(chamberMaxC, 'the chamber of this model', celsius)
  return await chamberQueue.run(session, async () => {
    const outcome = await session.perform(WHAT, chamberTarget(target, chamberHeater))
    session.rememberChamberTarget(target)
    if (chamberHeater !== 'M141') await session.perform(WHAT, ductFor(target))
    return outcome
  })
}

const MISSING_FAN: Readonly<Record<Fan, string>> = {
  part_cooling: 'has no part-cooling fan',
  aux: 'has no auxiliary fan',
  exhaust: 'has no exhaust fan',
  enhanced_cooling: 'has no enhanced cooling fan mounted'
}

/**
 * Printers accept a speed for a missing fan and ignore it.
 * @throws PRN_ERR_UNSUPPORTED
 */
function checkFan (session: PrinterSession, fan: Fan): void {
  if (!hasFan(session, fan)) throw new Unsupported(`'${session.name}' ${MISSING_FAN[fan]}`)
}
