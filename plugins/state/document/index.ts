import {
  elapsedMinutes, immutableJson, isStartOf, type HmsCatalogue, type PrinterSession, type ProjectFile
} from '../../../core/index.js'
import type { Filaments } from '../../filament/index.js'
import { limitsOf } from '../models.js'
import { configEntry } from './config.js'
import { plateOfJob, type JobProject } from '../../projects/index.js'
import { printerState } from './printer-state.js'
import { UNREPORTED } from './unreported.js'

const PLATE_TYPES = new Set(['AUTO', 'COOL_PLATE', 'ENG_PLATE', 'HOT_PLATE', 'TEXTURED_PLATE', 'SUPERTACK_PLATE'])

/** What other features know of the job. */
interface JobParts {
  readonly project: JobProject
  /** Minutes; null while unknown. */
  readonly remaining: number | null
}

/** Members of the command that started the job; empty when it was not observed. */
const startEntry = ({ url, param, md5, bedType, subtaskName }: ProjectFile) =>
  ({ url, param, md5, bed_type: bedType, subtask_name: subtaskName })

/** The job record; all fields are empty or zero before the first report. */
function jobRecord ({ state, context: memory }: PrinterSession, { project, remaining }: JobParts) {
  const start = state && isStartOf(memory.projectFile, state.job) ? memory.projectFile : undefined
  const plateType = start?.bedType.toUpperCase() ?? ''
  return {
    subtask_name: state?.job.subtaskName ?? '',
    gcode_file: state?.job.gcodeFile ?? '',
    plate_num: plateOfJob(state, project),
    plate_type: PLATE_TYPES.has(plateType) ? plateType : 'NONE',
    cancelled: state?.job.cancelled ?? false,
    stage_id: state?.job.stage.id ?? 0,
    stage_name: state?.job.stage.name ?? '',
    current_layer: state?.job.layer ?? 0,
    total_layers: state?.job.totalLayers ?? 0,
    print_percentage: state?.job.percent ?? 0,
    elapsed_minutes: state ? elapsedMinutes(state) : 0,
    remaining_minutes: state?.job.remainingMinutes ?? 0,
    remaining_minutes_by_moves: remaining,
    wall_start_time: state?.job.startedAt === undefined ? -1 : state.job.startedAt / 1000,
    print_type: state?.job.printType ?? '',
    project_file_command: start ? startEntry(start) : {},
    project_info_fetch_attempted: project.fetched,
    project_info: project.info
  }
}

/** The full state document of a printer, as `GET /api/printer` answers it. */
export type StateDocument = ReturnType<typeof buildDocument>

/** The last listing of a printer's card, whole and with projects only; null when there is none. */
export interface Listings { readonly all: unknown, readonly projects: unknown }

/** Parts of the document that other features provide. */
export interface DocumentParts {
  project (session: PrinterSession): JobProject
  /** Seconds that the moves of its job still take; undefined while unknown. */
  remaining (session: PrinterSession): number | undefined
  /** The same object while the listing is unchanged; undefined when there is none. */
  listings (session: PrinterSession): Listings | undefined
}

function buildDocument (session: PrinterSession, texts: HmsCatalogue, filaments: Filaments, job: JobParts) {
  const { state, context: memory, lastMessageAt } = session
  return {
    _config: configEntry(session),
    _limits: limitsOf(session.model),
    _service_state: session.service,
    _printer_state: state ? printerState(state, session, texts, filaments) : UNREPORTED,
    _active_job_info: jobRecord(session, job),
    _recent_update: session.live,
    _lastMessageTime: lastMessageAt === undefined ? null : lastMessageAt / 1000,
    _light_state: state?.lights.mode ?? '',
    _speed_level: state?.job.speedLevel ?? 0,
    _print_type: state?.job.printType ?? '',
    _nozzle_type: state?.device.nozzleType ?? '',
    _nozzle_diameter: state?.device.nozzleDiameterMm ?? 0,
    _skipped_objects: state?.job.skippedObjects ?? [],
    _sdcard_contents: null as unknown,
    _sdcard_3mf_files: null as unknown,
    _tool_temp_target_time: memory.targetTimes.tool,
    _bed_temp_target_time: memory.targetTimes.bed,
    _chamber_temp_target_time: memory.targetTimes.chamber,
    _fan_speed_target_time: memory.targetTimes.fan,
    _internalException: session.problem?.message ?? null
  }
}

interface CachedDocument { readonly key: readonly unknown[], readonly document: StateDocument }
interface CachedFullDocument extends Pick<CachedDocument, 'document'> {
  readonly lean: StateDocument
  readonly listings: Listings
}

/** A printer's documents; each stays the same object until its content changes. */
export interface Documents {
  /** The full document with the last listing of the card. */
  document (session: PrinterSession): StateDocument
  /** Without the listing, for clients that get a document with every report: cards hold thousands of files. */
  withoutListings (session: PrinterSession): StateDocument
}

/** Builds documents and caches the last of each printer. */
export function createDocuments (texts: HmsCatalogue, filaments: Filaments, parts: DocumentParts): Documents {
  const cached = new WeakMap<PrinterSession, CachedDocument>()
  const full = new WeakMap<PrinterSession, CachedFullDocument>()

  function withoutListings (session: PrinterSession): StateDocument {
    const { state, context: memory, service, live, problem, verbose } = session
    const project = parts.project(session)
    const seconds = parts.remaining(session)
    const remaining = seconds === undefined ? null : Math.round(seconds / 60)
    const key = [state, memory, service, live, problem, verbose, project.info, project.fetched, remaining]
    const known = cached.get(session)
    if (known?.key.every((value, at) => Object.is(value, key[at]))) return known.document
    const document = immutableJson(buildDocument(session, texts, filaments, { project, remaining }))
    cached.set(session, { key, document })
    return document
  }

  return {
    withoutListings,
    document (session) {
      const lean = withoutListings(session)
      const listings = parts.listings(session)
      if (listings === undefined) return lean
      const known = full.get(session)
      if (known?.lean === lean && known.listings === listings) return known.document
      const document = immutableJson({ ...lean, _sdcard_contents: listings.all, _sdcard_3mf_files: listings.projects })
      full.set(session, { lean, listings, document })
      return document
    }
  }
}
