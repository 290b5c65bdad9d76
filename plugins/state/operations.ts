import { Type } from 'typebox'
import { defineError, elapsedMinutes, operation, immutableJson, type PrinterSession, type PrinterState } from '../../core/index.js'
import { activeSpool, namedSpoolEntry, amsUnitEntry } from './document/ams.js'
import { capabilitiesEntry } from './document/config.js'
import { faultEntries } from './document/faults.js'
import { holdersOf, ONLY_OR_LEFT } from './document/holders.js'
import type { StateDocument } from './document/index.js'
import { printerState } from './document/printer-state.js'
import { UNREPORTED } from './document/unreported.js'
import { PrinterDocument, PrinterParts } from './document-schemas.js'
import { pickFields } from './fields.js'
import {
  AmsStatus, Climate, ExternalSpools, Fans, HmsErrors, Job, Progress, ReadableState, Spools, Temperatures
} from './schemas.js'

export const NoData = defineError('PRN_ERR_NO_DATA', 'no data', 500)

const Nothing = Type.Object({})

const found = new WeakMap<StateDocument, object>()

/** Serialised once for each document, like the document itself. */
function healthy (printer: StateDocument): { status: 'success', printer: StateDocument } {
  const answer = found.get(printer) ?? immutableJson({ status: 'success' as const, printer })
  found.set(printer, answer)
  return answer as { status: 'success', printer: StateDocument }
}

/** Readings of a paused session go stale without an error. */
const hasReadings = ({ live, service, state }: PrinterSession): boolean => live || (service === 'PAUSED' && state !== undefined)

/** Undefined while no live data exists yet. */
export const readDocument = operation({
  name: 'state.readDocument',
  summary: 'The full state of a printer, or parts of it; 304 while no live data exists yet',
  effect: 'read',
  input: Type.Object({
    fields: Type.Optional(Type.String({
      description: 'Parts that are wanted, with commas between them: `_printer_state.gcode_state,_active_job_info`. ' +
        'Left out: everything'
    }))
  }),
  output: Type.Union([PrinterDocument, PrinterParts, Type.Undefined()]),
  run ({ session, services }, { fields = '' }) {
    const document = services.state.document(session)
    const wanted = fields.trim() === '' ? document : pickFields(document, fields)
    return hasReadings(session) ? wanted : undefined
  }
})

export const checkHealth = operation({
  name: 'state.checkHealth',
  summary: 'Health of a session with the full printer state',
  effect: 'read',
  input: Nothing,
  output: Type.Object({ status: Type.Literal('success'), printer: PrinterDocument }),
  errors: [NoData],
  run ({ session, services }) {
    const printer = services.state.document(session)
    if (!hasReadings(session)) throw new NoData().with({ printer })
    return healthy(printer)
  }
})

export const readPrinterState = operation({
  name: 'state.readPrinterState',
  summary: 'Full printer state',
  effect: 'read',
  input: Nothing,
  output: ReadableState,
  run ({ session, kernel, services }) {
    const { state, live } = session
    const whole = state ? printerState(state, session, kernel.hms, services.filaments) : UNREPORTED
    const { stat: _stat, fun: _fun, ...parts } = whole
    return {
      ...parts,
      extension_tool: { ...parts.extension_tool, mounted: state?.extensionTool.mounted ?? false },
      recent_update: live
    }
  }
})

export const readAms = operation({
  name: 'state.readAms',
  summary: 'AMS units: humidity, temperature, dryer, slots',
  effect: 'read',
  input: Nothing,
  output: AmsStatus,
  run ({ session: { state }, kernel }) {
    const dual = state?.capabilities.hasDualExtruder ?? false
    const units = state?.ams.units.map(unit => amsUnitEntry(unit, dual, kernel.hms)) ?? []
    return { ams_status: state?.ams.statusText ?? '', ams_count: units.length, units }
  }
})

export const readCapabilities = operation({
  name: 'state.readCapabilities',
  summary: 'What the printer has and can do',
  effect: 'read',
  input: Nothing,
  output: Type.Record(Type.String(), Type.Boolean()),
  run: ({ session }) => capabilitiesEntry(session.capabilities)
})

export const readFans = operation({
  name: 'state.readFans',
  summary: 'Fan speeds',
  effect: 'read',
  input: Nothing,
  output: Fans,
  run: ({ session: { state } }) => ({
    part_cooling_pct: state?.fans.part ?? 0,
    aux_pct: state?.fans.aux ?? 0,
    exhaust_pct: state?.fans.exhaust ?? 0,
    heatbreak_pct: state?.fans.heatbreak ?? 0,
    enhanced_cooling_pct: state?.fans.enhancedTarget ?? 0
  })
})

export const readErrors = operation({
  name: 'state.readErrors',
  summary: 'Errors, active first; Historical are over',
  effect: 'read',
  input: Nothing,
  output: HmsErrors,
  run: ({ session: { state, config }, kernel }) => ({
    hms_errors: state ? faultEntries(state, kernel.hms, config.serial) : [],
    print_error: state?.errors.printError ?? 0
  })
})

export const readJob = operation({
  name: 'state.readJob',
  summary: 'File, plate, stage, layers and times of the job',
  effect: 'read',
  input: Nothing,
  output: Job,
  run: ({ session, services }) => services.state.withoutListings(session)._active_job_info
})

export const readProgress = operation({
  name: 'state.readProgress',
  summary: 'Job state and progress',
  effect: 'read',
  input: Nothing,
  output: Progress,
  run: ({ session: { state } }) => ({
    gcode_state: state?.job.gcodeState ?? UNREPORTED.gcode_state,
    ...(state?.job.cancelled && { cancelled: true }),
    print_percentage: state?.job.percent ?? 0,
    current_layer: state?.job.layer ?? 0,
    total_layers: state?.job.totalLayers ?? 0,
    elapsed_minutes: state ? elapsedMinutes(state) : 0,
    remaining_minutes: state?.job.remainingMinutes ?? 0,
    stage_name: state?.job.stage.name ?? '',
    subtask_name: state?.job.subtaskName ?? '',
    skipped_objects: [...state?.job.skippedObjects ?? []]
  })
})

export const readInfo = operation({
  name: 'state.readInfo',
  summary: 'Model, serial number, firmware',
  effect: 'read',
  input: Nothing,
  output: Type.Object({
    model: Type.String(),
    serial: Type.String(),
    firmware_version: Type.String(),
    ams_firmware_version: Type.String()
  }),
  run: ({ session: { model, config, state } }) => ({
    model: model.model,
    serial: config.serial,
    firmware_version: state?.firmware.printer ?? '',
    ams_firmware_version: state?.firmware.ams ?? ''
  })
})

export const readFirmware = operation({
  name: 'state.readFirmware',
  summary: 'Firmware of printer and AMS',
  effect: 'read',
  input: Nothing,
  output: Type.Object({ firmware_version: Type.String(), ams_firmware_version: Type.String() }),
  run: ({ session: { state } }) => ({
    firmware_version: state?.firmware.printer ?? '',
    ams_firmware_version: state?.firmware.ams ?? ''
  })
})

export const readSpools = operation({
  name: 'state.readSpools',
  summary: 'Active spool, all spools of AMS and holders',
  effect: 'read',
  input: Nothing,
  output: Spools,
  async run ({ session: { state }, services: { filaments } }) {
    const active = state && activeSpool(state.spools, state.activeTray)
    return {
      active_spool: active ? await namedSpoolEntry(active, filaments) : null,
      spools: await Promise.all((state?.spools ?? []).map(spool => namedSpoolEntry(spool, filaments)))
    }
  }
})

export const readExternalSpools = operation({
  name: 'state.readExternalSpools',
  summary: 'Spools on the external holders: 254 the only or left one, 255 the right one',
  effect: 'read',
  input: Nothing,
  output: ExternalSpools,
  async run ({ session, services: { filaments } }) {
    const spools = await Promise.all(holdersOf(session).map(spool => namedSpoolEntry(spool, filaments)))
    const spool = spools.find(({ id }) => id === ONLY_OR_LEFT) ?? spools[0] ?? null
    return { loaded: spools.length > 0, spool, spools }
  }
})

const OFF = { temp: 0, target: 0 }

const temperatures = (state: PrinterState | undefined) => state
  ? {
      nozzles: state.extruders.map(({ id, temperature: { actual, target } }) => ({ id, temp: actual, target })),
      bed: { temp: state.heat.bed.actual, target: state.heat.bed.target },
      chamber: { temp: state.heat.chamber.actual, target: state.heat.chamber.target }
    }
  : { nozzles: [{ id: -1, ...OFF }], bed: OFF, chamber: OFF }

export const readTemperatures = operation({
  name: 'state.readTemperatures',
  summary: 'Temperatures and targets',
  effect: 'read',
  input: Nothing,
  output: Temperatures,
  run: ({ session }) => temperatures(session.state)
})

const HEATING = 1

export const readClimate = operation({
  name: 'state.readClimate',
  summary: 'Temperatures, doors and air mode',
  effect: 'read',
  input: Nothing,
  output: Climate,
  run: ({ session: { state } }) => ({
    ...temperatures(state),
    chamber_door_open: state?.doors.doorOpen ?? false,
    chamber_lid_open: state?.doors.lidOpen ?? false,
    // As documented, this reads NOT_SUPPORTED while cooling; the state document distinguishes the modes.
    air_conditioning_mode: state?.airDuct.mode === HEATING ? 'HEAT_MODE' : 'NOT_SUPPORTED'
  })
})

export const readLight = operation({
  name: 'state.readLight',
  summary: 'Whether the chamber light is on',
  effect: 'read',
  input: Nothing,
  output: Type.Object({ on: Type.Boolean() }),
  run: ({ session }) => ({ on: session.state?.lights.mode === 'on' })
})

export const readWifi = operation({
  name: 'state.readWifi',
  summary: 'Wi-Fi signal in dBm',
  effect: 'read',
  input: Nothing,
  output: Type.Object({ wifi_signal: Type.String() }),
  run: ({ session }) => ({ wifi_signal: session.state?.device.wifiSignal ?? '' })
})
