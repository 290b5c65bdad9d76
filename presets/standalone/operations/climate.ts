import { Type } from 'typebox'
import { operation, ToolChanging } from '../../../core/index.js'
import { setNozzleTarget } from '../../../plugins/climate/operations.js'

/** The active nozzle, identified by its number on dual printers. */
export const setActiveTarget = operation({
  name: 'standalone.setActiveTarget',
  summary: 'Set the target temperature of the active nozzle',
  effect: 'write',
  consequence: 'The hotend heats or cools to that target at once.',
  input: Type.Object({ celsius: setNozzleTarget.input.properties.celsius }),
  output: setNozzleTarget.output,
  errors: [ToolChanging],
  run ({ kernel, session, signal, log }, { celsius }) {
    const { name, state, model } = session
    const isDual = state?.capabilities.hasDualExtruder ?? model.extruders > 1
    const tool = state?.activeTray.tool
    if (isDual && tool !== 0 && tool !== 1) throw new ToolChanging(name)
    const extruder = isDual ? tool : undefined
    return kernel.call(setNozzleTarget, { celsius, ...(extruder !== undefined && { extruder }) },
      { printer: name, signal, log })
  }
})
