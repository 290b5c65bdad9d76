import { Type } from 'typebox'
import {
  changeTool, defineError, notPrinting, operation, requireCurrentState, ToolChanging, Unsupported, type Command,
  type Extruder, type PrinterSession
} from '../../../core/index.js'
import { accessoryNozzle, codedNozzle, nozzleCode, refreshNozzles, reportAll, selectExtruder } from '../commands.js'
import { Confirmation, DIAMETERS, FLOWS, NOZZLE_TYPES, NozzleInfo, type Flow, type NozzleType } from '../schemas.js'

export const ToolMoving = defineError<[printer: string]>(
  'PRN_ERR_TOOL_MOVING', "'%s' is changing its tool just now; try again in a moment", 409)

const isDual = ({ state, model }: PrinterSession) => state?.capabilities.hasDualExtruder ?? model.extruders > 1

const trayOf = ({ tray }: Extruder) => tray === undefined ? -1 : tray.amsId >= 254 ? tray.amsId : tray.slot

export const readNozzles = operation({
  name: 'hardware.readNozzles',
  summary: 'Fitted nozzles and what they hold',
  effect: 'read',
  input: Type.Object({}),
  output: NozzleInfo,
  run: ({ session: { state } }) => ({
    nozzles: (state?.extruders ?? []).map(extruder => ({
      extruder_id: extruder.id,
      diameter_mm: extruder.nozzle.diameterMm,
      nozzle_type: extruder.nozzle.material,
      flow_type: extruder.nozzle.flow,
      encoded_id: extruder.nozzle.encodedId,
      active_tray_id: trayOf(extruder),
      tray_state: extruder.trayState
    }))
  })
})

/** How long a printer may take to report itself. */
const REPORT_MS = 2_000

/** Models that cannot check their nozzles only report them. */
export const refresh = operation({
  name: 'hardware.refreshNozzles',
  summary: 'Have the printer report, and where it can check, its nozzles',
  effect: 'write',
  consequence: 'The printer reports its nozzles anew; some models move the tool head to check them.',
  sendsOnly: true,
  input: Type.Object({}),
  output: Confirmation,
  async run ({ session }) {
    if (session.model.refreshNozzle) return await session.perform('to refresh its nozzles', refreshNozzles)
    const { state: before } = session
    await session.send(reportAll)
    return { confirmed: await session.until(state => state !== before, REPORT_MS) }
  }
})

/** Printers that report nozzle codes also expect codes, except for the X1 series, which expects names. */
const takesCodes = (session: PrinterSession) => isDual(session) ||
  (session.model.series !== 'X1' && /^H[A-Z]\d\d$/.test(session.state?.extruders[0]?.nozzle.rawType ?? ''))

/** The flow of the fitted nozzle, for callers that do not give one. */
function presentFlow ({ state }: PrinterSession, extruder: number): Flow {
  const fitted = state?.extruders.find(({ id }) => id === extruder)?.nozzle.flow.toLowerCase()
  return FLOWS.find(flow => flow === fitted) ?? 'standard'
}

function nozzleCommands (session: PrinterSession, diameterMm: number, type: NozzleType, flow: Flow | undefined,
  extruders: readonly number[]): readonly Command[] {
  if (!takesCodes(session)) {
    if (flow !== undefined && flow !== 'standard') throw new Unsupported(`'${session.name}' does not support ${flow} nozzles`)
    return [accessoryNozzle(diameterMm, type)]
  }
  return extruders.map(extruder => {
    const code = nozzleCode(type, flow ?? presentFlow(session, isDual(session) ? extruder : -1))
    if (code === undefined) throw new Unsupported(`'${session.name}' does not support ${type} nozzles`)
    return codedNozzle(extruder, diameterMm, code)
  })
}

/** @param extruder 0 right or only, 1 left, -1 all; undefined the active one */
function extrudersOf (session: PrinterSession, extruder: number | undefined): readonly number[] {
  if (!isDual(session)) {
    if (extruder === 1) throw new Unsupported(`'${session.name}' has a single extruder.`)
    return [0]
  }
  if (extruder === -1) return [0, 1]
  const active = session.state?.activeTray.tool ?? 0
  if (extruder === undefined && active > 1) throw new ToolMoving(session.name)
  return [extruder ?? active]
}

const Nozzle = {
  diameter: Type.Enum(DIAMETERS, { description: 'mm' }),
  type: Type.Enum(NOZZLE_TYPES),
  flow: Type.Optional(Type.Enum(FLOWS, { description: 'As fitted now when left out' })),
  extruder: Type.Optional(Type.Integer({ minimum: -1, maximum: 1 }))
}

const FITTED = 'The printer is told which nozzle is fitted; a wrong entry makes it print with a wrong flow.'

export const setNozzle = operation({
  name: 'hardware.setNozzle',
  summary: 'Tell the printer which nozzle is fitted',
  effect: 'write',
  consequence: FITTED,
  sendsOnly: true,
  input: Type.Object(Nozzle),
  output: Confirmation,
  guards: [requireCurrentState],
  run ({ session }, { diameter, type, flow, extruder }) {
    const extruders = extrudersOf(session, extruder)
    return session.perform('the nozzle setting', nozzleCommands(session, diameter, type, flow, extruders))
  }
})

/** As {@link setNozzle}, for callers that must not disturb a print. */
export const configureNozzle = operation({
  name: 'hardware.configureNozzle',
  summary: 'Tell the printer which nozzle is fitted; not while it prints',
  effect: 'write',
  consequence: FITTED,
  input: Type.Object(Nozzle),
  output: Confirmation,
  guards: [notPrinting],
  run: ({ kernel, session, signal }, input) => kernel.call(setNozzle, input, { printer: session.name, signal })
})

export const swapTool = operation({
  name: 'hardware.swapTool',
  summary: 'Make an extruder the active one, or swap them',
  effect: 'write',
  consequence: 'The tool head moves to change the active nozzle.',
  sendsOnly: true,
  input: Type.Object({ extruder: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })) }),
  output: Type.Object({ ...Confirmation.properties, extruder: Type.Integer() }),
  guards: [notPrinting],
  errors: [Unsupported, ToolMoving, ToolChanging],
  async run ({ session }, { extruder }) {
    if (!isDual(session)) throw new Unsupported(`'${session.name}' has a single extruder.`)
    const active = session.state?.activeTray.tool
    if (extruder === undefined && active !== 0 && active !== 1) throw new ToolMoving(session.name)
    const wanted = extruder ?? 1 - (active ?? 0)
    const outcome = await changeTool(session, wanted,
      () => session.perform('to change the active tool', selectExtruder(wanted)))
    return { ...outcome, extruder: wanted }
  }
})
