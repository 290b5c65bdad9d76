import { Type, type Static } from 'typebox'
import {
  isStartPending, JobActive, operation, requireCurrentState, SignatureRequired, Unsupported, type PrinterContext,
  type Guard
} from '../../../core/index.js'
import { CARD_ERRORS, holds } from '../../files/index.js'
import { FilamentMismatch, JobStarting, JobWaits, OtherJob, PlateFindings, PlateRefused, PlateUsed } from '../errors.js'
import { resolveFilamentSource } from '../mapping/filament-source.js'
import { wireMapping } from '../mapping/mqtt-mapping.js'
import { judgementRecord, mappingText, sourceRecord } from '../mapping/record.js'
import { matchRecord } from '../mapping/resolve.js'
import { BED_TYPES, LARGEST_TASK_ID, projectFile } from '../print/project-file.js'
import { costOnCard, isRefusedStart, newTaskId, paidPrint } from '../print/start-cost.js'
import { start, type Explain } from '../print/start.js'
import { AcceptFindings, AcceptWarnings, Judgement, Matches, PlateRead } from '../schemas.js'
import { requestedPlate } from './mapping.js'
import { FilePath, pathOf, PlateNumber } from './read.js'

const BUSY = new Set(['RUNNING', 'PREPARE', 'SLICING'])

/** Refuses a second job: some printers drop the first for it. */
export function readyForJob (context: Pick<PrinterContext, 'session' | 'kernel'>): void {
  requireCurrentState(context)
  const { session: { name, state, context: sessionContext }, kernel } = context
  const now = state?.job.gcodeState ?? ''
  if (BUSY.has(now)) throw new JobActive(name, now)
  if (now === 'PAUSE') throw new JobWaits(name, now)
  const { start } = sessionContext
  if (isStartPending(start, kernel.now())) {
    throw new JobStarting(name, start.accepted ? 'accepted' : 'been sent', start.subtaskName, new Date(start.at).toISOString()).with({ started_at: start.at })
  }
}

/** Firmware that reports that it accepts only signed commands would not answer the start. */
export const takesCommands: Guard = ({ session: { name, state } }) => {
  if (state?.device.signedOnly === true) throw new SignatureRequired(name, 'to start the print')
}

/** Refuses a printer that reports that it has no card. */
export const hasStorage: Guard = ({ session: { name, state } }) => {
  if (state?.device.storage === false) throw new Unsupported(`'${name}' has no SD card or USB stick to print from.`)
}

const Print = Type.Object({
  file: FilePath,
  plate: PlateNumber,
  plateType: Type.Enum(BED_TYPES),
  useAms: Type.Boolean(),
  mapping: Type.Optional(Type.Array(Type.Integer())),
  acceptMismatch: Type.Optional(Type.Boolean({ default: false })),
  acceptWarnings: AcceptWarnings,
  anyColor: Type.Optional(Type.Boolean({ default: false, description: 'A colour mismatch does not refuse the print' })),
  acceptFindings: AcceptFindings,
  pauseIfBad: Type.Optional(Type.Boolean({
    default: false, description: 'A finding that would have refused the print, made after its start, pauses it'
  })),
  leveling: Type.Boolean(),
  flow: Type.Boolean(),
  timelapse: Type.Boolean(),
  taskId: Type.Optional(Type.Integer({
    minimum: 1, maximum: LARGEST_TASK_ID, description: 'Task id under which the printer reports the job; left out: random'
  }))
})

const explainWith = ({ kernel }: PrinterContext): Explain => ({ digits }) =>
  kernel.hms.explain(Number.parseInt(digits, 16), '')

/** Everything before the start is sent: the plate, its spools, and what was found in both. */
async function prepare (context: PrinterContext, input: Static<typeof Print>, signal: AbortSignal) {
  const { session, services } = context
  const {
    acceptMismatch = false, acceptWarnings, anyColor = false, acceptFindings: accepted = [], pauseIfBad: pauses = false,
    file, plate, plateType, useAms, mapping, taskId, ...options
  } = input
  const request = await requestedPlate({ services, session, signal }, file, plate)
  const wanted = { mapping, useAms, acceptMismatch, acceptWarnings, anyColor, plateType }
  const source = await resolveFilamentSource(request, session, wanted, services.projects)
  // The refusal contains the preview, so that the caller sees which spool is missing.
  if (source.refusal) throw source.refusal.with(sourceRecord(request, source))
  const wire = wireMapping(source.mapping, source.trays, session.model.extruders > 1)
  const read = await services.projects.plates.check(session, {
    path: request.path, plate, plateType, mapping: wire.use_ams ? source.mapping : undefined
  }, { accepted, signal })
  // Another client may have begun a job while the project was read.
  readyForJob(context)
  signal.throwIfAborted()
  const job = { path: request.path, plateNumber: plate, plateType, wire, ...options }
  const command = projectFile(job, session.model, taskId?.toString())
  return { request, source, wire, read, command, accepted, pauses, options }
}

/** @param signal aborts the preparation; once the start is sent, its outcome is awaited */
async function print (context: PrinterContext, input: Static<typeof Print>, signal: AbortSignal) {
  const { session, log } = context
  const { plate, plateType } = input
  const { request, source, wire, read, command, accepted, pauses, options } = await prepare(context, input, signal)
  log.info({ printer: session.name, file: request.path, plate, mapping: source.mapping }, 'starting a print')
  const ids = { taskId: String(command.task_id), subtaskName: String(command.subtask_name) }
  context.kernel.events.emit('projects:starting', session.name, {
    request: {
      file: request.path,
      plate,
      plateType,
      mapping: wire.use_ams ? [...source.mapping] : undefined,
      ...(accepted.length > 0 && { accepted }),
      ...options
    },
    by: context.askedBy,
    job: ids
  })
  const outcome = await start(session, command, {
    explain: explainWith(context),
    // The start is stored on the disk first, which may take seconds.
    check () {
      readyForJob(context)
      signal.throwIfAborted()
    }
  })
  read.follow?.({ job: ids, accepted, pauses })
  return {
    file_path: request.path,
    plate_num: plate,
    bed_type: plateType.toUpperCase(),
    use_ams: wire.use_ams,
    ams_mapping: wire.use_ams ? mappingText(source.mapping) : '',
    matches: source.matches.map(matchRecord),
    ...judgementRecord(source),
    findings: [...read.findings],
    unread: read.unread,
    outcome
  }
}

export const printFile = operation({
  name: 'projects.print',
  summary: 'Print a sliced plate from the card; spools by type and colour unless ams_mapping is given',
  effect: 'destructive',
  consequence: 'A physical job starts: the printer heats, moves and uses up filament; a wrong plate, bed type or spool ' +
    'can damage print or machine.',
  input: Print,
  note: ({ acceptFindings = [] }) => acceptFindings.length > 0 ? `accepts ${acceptFindings.join(', ')}` : undefined,
  output: Type.Object({
    file_path: Type.String(),
    plate_num: Type.Integer(),
    bed_type: Type.String(),
    use_ams: Type.Boolean(),
    ams_mapping: Type.String({ description: 'As sent, tray by filament id - 1; empty without the AMS' }),
    matches: Matches,
    ...Judgement,
    ...PlateRead,
    outcome: Type.String({ description: 'started, or unconfirmed when the printer reported nothing' })
  }),
  guards: [readyForJob, takesCommands, hasStorage],
  errors: [
    PlateRefused, FilamentMismatch, PlateUsed, PlateFindings, JobActive, JobWaits, JobStarting, OtherJob, ...CARD_ERRORS
  ],
  /** The task id ties the booking to the print that the printer reports. */
  async spends (context, given) {
    const input = { ...given, taskId: given.taskId ?? newTaskId() }
    const id = paidPrint(context.session.config.serial, input.taskId)
    return { id, pays: id, cost: await costOnCard(context, input.file, input.plate), input, isUnspent: isRefusedStart }
  },
  async preview (context, input) {
    const { source, read, command } = await prepare(context, input, context.signal)
    return {
      checked: ['plate', 'spools'],
      sends: [command],
      found: {
        matches: source.matches.map(matchRecord),
        ...judgementRecord(source),
        findings: read.findings,
        unread: read.unread
      }
    }
  },
  run (context, input) {
    const { session, services, signal } = context
    const path = pathOf(input.file)
    return session.exclusively(`the start of '${path}'`, async over => {
      const unprotect = services.files.protect((printer, changed) =>
        printer === session && holds(changed, path) ? `'${session.name}' is about to print '${path}'` : undefined)
      try {
        return await print(context, input, AbortSignal.any([signal, over]))
      } finally {
        unprotect()
      }
    })
  }
})
