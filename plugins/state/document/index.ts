import { snapshot, type FaultTexts, type PrinterSession } from '../../../core/index.js'
import type { Filaments } from '../../filament/index.js'
import { configEntry } from './config.js'
import { jobRecord, type JobProject } from './job.js'
import { printerState } from './printer-state.js'
import { UNREPORTED } from './unreported.js'

/** The full state document of a printer, as `GET /api/printer` answers it. */
export type StateDocument = ReturnType<typeof buildDocument>

/** What other features add to the document. */
export interface DocumentParts {
  project (session: PrinterSession): JobProject
  listings (session: PrinterSession): { readonly all: unknown, readonly projects: unknown }
}

function buildDocument (session: PrinterSession, texts: FaultTexts, filaments: Filaments, parts: DocumentParts) {
  const { state, memory, lastMessageAt } = session
  const listings = parts.listings(session)
  return {
    _config: configEntry(session),
    _service_state: session.service,
    _printer_state: state ? printerState(state, session, texts, filaments) : UNREPORTED,
    _active_job_info: jobRecord(session, parts.project(session)),
    _recent_update: session.live,
    _lastMessageTime: lastMessageAt === undefined ? null : lastMessageAt / 1000,
    _light_state: state?.lights.mode ?? '',
    _speed_level: state?.job.speedLevel ?? 0,
    _print_type: state?.job.printType ?? '',
    _nozzle_type: state?.device.nozzleType ?? '',
    _nozzle_diameter: state?.device.nozzleDiameterMm ?? 0,
    _skipped_objects: state?.job.skippedObjects ?? [],
    _sdcard_contents: listings.all,
    _sdcard_3mf_files: listings.projects,
    _tool_temp_target_time: memory.targetTimes.tool,
    _bed_temp_target_time: memory.targetTimes.bed,
    _chamber_temp_target_time: memory.targetTimes.chamber,
    _fan_speed_target_time: memory.targetTimes.fan,
    _internalException: session.problem?.message ?? null
  }
}

interface Kept { readonly key: readonly unknown[], readonly document: StateDocument }

/** Builds documents and keeps the last of each printer until something in it changes. */
export function createDocuments (texts: FaultTexts, filaments: Filaments, parts: DocumentParts) {
  const kept = new WeakMap<PrinterSession, Kept>()

  return (session: PrinterSession): StateDocument => {
    const { state, memory, service, live, problem, verbose } = session
    const listings = parts.listings(session)
    const project = parts.project(session)
    const key = [state, memory, service, live, problem, verbose, listings.all, listings.projects, project.info,
      project.fetched]
    const known = kept.get(session)
    if (known?.key.every((value, at) => Object.is(value, key[at]))) return known.document
    const document = snapshot(buildDocument(session, texts, filaments, parts))
    kept.set(session, { key, document })
    return document
  }
}
