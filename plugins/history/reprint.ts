import { Type, type Static } from 'typebox'
import { isActive, operation, type DaemonContext, type PrinterSession } from '../../core/index.js'
import { AcceptFindings, AcceptWarnings, Judgement, PlateRead, type PrintRequest } from '../projects/index.js'
import { FileChanged, FileGone, FileUnknown, NoPrint, NoPrinterForPrint, PlateUnknown, SpoolsUnknown } from './errors.js'
import { onlyPlate } from './project-facts.js'
import { HOLDER, trayOfPlace, type PlateMapping } from './places.js'
import { findAsked, type Asked, type Db } from './queries.js'
import type { PrintView } from './schemas.js'

const UNUSED = -1

/** Where the filaments of a reprint come from: tray by filament id - 1, or everything from the holder. */
interface Source { readonly useAms: boolean, readonly mapping?: number[] }

/** Plate and source of the filaments as given by the caller. */
interface Choice {
  readonly plate?: number | undefined
  readonly mapping?: number[] | undefined
  readonly useAms?: boolean | undefined
}

/** For a print that was started elsewhere. @returns undefined unless its spools are certain */
function sourceOf (mapping: PlateMapping | undefined): Source | undefined {
  if (mapping === undefined) return undefined
  if (mapping === HOLDER) return { useAms: false }
  return { useAms: true, mapping: mapping.map(place => trayOfPlace(place) ?? UNUSED) }
}

/** The request for a reprint; for a print that was started elsewhere, as far as it was observed. */
export const requestOf = ({ print, asked }: Pick<Asked, 'asked'> & {
  readonly print: Pick<PrintView, 'project_path' | 'plate'>
}): Omit<PrintRequest, 'mapping'> => asked ?? {
  file: print.project_path,
  plate: print.plate,
  plateType: 'auto',
  leveling: true,
  flow: false,
  timelapse: false
}

/**
 * The spools for a reprint: those that the caller names, else those of the first print. Nothing is guessed, because a
 * wrong spool means a spoilt print, or a wrong material in a hot nozzle.
 */
export function chooseSource ({ asked, mapping }: Pick<Asked, 'asked' | 'mapping'>, choice: Choice): Source | undefined {
  if (choice.mapping !== undefined) return { useAms: choice.useAms ?? true, mapping: choice.mapping }
  if (choice.useAms === false) return { useAms: false }
  if (asked === undefined) return sourceOf(mapping)
  return asked.mapping === undefined ? { useAms: false } : { useAms: true, mapping: [...asked.mapping] }
}

function printerOf ({ kernel: { printers } }: Pick<DaemonContext, 'kernel'>, { serial, printer }: PrintView):
PrinterSession {
  const name = printers.names.find(name => printers.config(name)?.serial === serial)
  const session = name === undefined ? undefined : printers.get(name)
  if (!session) throw new NoPrinterForPrint(printer)
  return session
}

const Reprinted = Type.Object({
  printer: Type.String(),
  file: Type.String(),
  plate: Type.Integer(),
  mapping: Type.String({ description: 'As sent, tray by filament id - 1; empty without the AMS' }),
  outcome: Type.String({ description: 'started, or unconfirmed without a report of the printer' }),
  ...Judgement,
  ...PlateRead
}, { 'x-name': 'Reprinted' })

/** What of a record is printed again, and how. @throws if that is not certain */
async function again (context: DaemonContext, id: string, choice: Choice) {
  const { services: { database }, kernel } = context
  const found = await database.query((db: Db) => findAsked(db, id))
  if (!found) throw new NoPrint(id)
  const { print } = found
  const request = requestOf(found)
  const print3mf = kernel.operation('projects.print')
  if (request.file === '' || !print3mf) throw new FileUnknown(id)
  return { found, print, request, print3mf, session: printerOf(context, print), choice }
}

/** @throws PRN_ERR_PLATE_UNKNOWN, PRN_ERR_SPOOLS_UNKNOWN */
async function inputOf (context: DaemonContext, { found, print, request, session, choice }: Again) {
  const { file, plateType, leveling, flow, timelapse } = request
  const plate = request.plate > 0 ? request.plate : choice.plate ?? await plateIn(context, session, file)
  const name = print.name || print.id
  if (plate === undefined) throw new PlateUnknown(name).with({ printer: session.name, file })
  const source = chooseSource(found, choice)
  if (source === undefined) throw new SpoolsUnknown(name).with({ printer: session.name, file, plate })
  return { file, plate, plateType, leveling, flow, timelapse, ...source }
}
type Again = Awaited<ReturnType<typeof again>>

/**
 * Whether the file on the card is not what was put into the queue, or may not be: a recipe that clears the plate was
 * perhaps inserted into it, and is not for this print.
 */
const isFromQueue = ({ job }: PrintView): boolean => job !== ''

/** @throws PRN_ERR_REPRINT_FILE, PRN_ERR_REPRINT_CHANGED, those of the card */
async function checkFile ({ optional, services, signal }: DaemonContext, session: PrinterSession, print: PrintView,
  { file }: Pick<PrintRequest, 'file'>): Promise<void> {
  if (!optional.files || isActive(session.state?.job.gcodeState ?? '')) return // one that prints is refused
  if (isFromQueue(print) || !await optional.files.has(session, file, { signal })) {
    if (await services.history.restoreFile(print, session, file, signal)) return
    throw new FileGone(file, session.name)
  }
  if (print.md5 === '' || file !== print.project_path) return
  const md5 = await optional.projects?.reader.openCurrent(session, file, async project => project.source.md5, signal)
  if (md5 !== undefined && md5 !== '' && md5 !== print.md5) throw new FileChanged(file, session.name)
}

const plateIn = async ({ optional, signal }: DaemonContext, session: PrinterSession, file: string) =>
  await optional.projects?.open(session, file, onlyPlate, signal)

export const reprint = operation({
  name: 'history.reprint',
  summary: 'Print a recorded print once more: same file, plate and spools, judged as a new one',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'A physical job starts on the printer of the record: it heats, moves and uses up filament. The plate ' +
    'must be empty.',
  input: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of a print' }),
    acceptMismatch: Type.Optional(Type.Boolean({ default: false })),
    acceptWarnings: AcceptWarnings,
    acceptFindings: AcceptFindings,
    mapping: Type.Optional(Type.Array(Type.Integer(), { description: 'Tray by filament id - 1, in place of the first ones' })),
    plate: Type.Optional(Type.Integer({ minimum: 1, description: 'If the record does not say which' })),
    useAms: Type.Optional(Type.Boolean({ description: 'False: everything from the external holder' }))
  }),
  output: Reprinted,
  errors: [NoPrint, NoPrinterForPrint, FileUnknown, FileGone, FileChanged, PlateUnknown, SpoolsUnknown],
  /** A file that is no longer on the card is copied there by the call only, and read then. */
  async preview (context, { id, acceptMismatch = false, acceptWarnings, acceptFindings = [], ...choice }) {
    const { kernel, caller, signal, optional } = context
    const what = await again(context, id, choice)
    const { session, print3mf, request: { file } } = what
    const isCopied = async (): Promise<boolean> =>
      isFromQueue(what.print) || await optional.files?.has(session, file, { signal }) === false
    if (await isCopied()) return { found: { copied_first: file } }
    const accepts = { acceptMismatch, acceptFindings, ...(acceptWarnings && { acceptWarnings }) }
    const input = { ...await inputOf(context, what), ...accepts }
    const options = { printer: session.name, signal, paidBy: caller }
    const { sends, checked, found } = await kernel.rehearse(print3mf, input, options)
    return { checked, found: { ...found, printer: session.name }, ...(sends && { sends: sends as never }) }
  },
  async run (
    context, { id, acceptMismatch = false, acceptWarnings, acceptFindings = [], ...choice }
  ): Promise<Static<typeof Reprinted>> {
    const { kernel, caller, askedBy, signal, progress } = context
    const what = await again(context, id, choice)
    const { session, print3mf } = what
    await checkFile(context, session, what.print, what.request)
    const input = await inputOf(context, what)
    const { file, plate } = input
    const options = { printer: session.name, surface: askedBy, paidBy: caller, signal, progress }
    const accepts = { acceptMismatch, acceptFindings, ...(acceptWarnings && { acceptWarnings }) }
    const started = await kernel.call(print3mf, { ...input, ...accepts }, options)
    return {
      printer: session.name,
      file,
      plate,
      mapping: started.ams_mapping,
      outcome: started.outcome,
      warnings: started.warnings,
      mapping_words: started.mapping_words,
      findings: started.findings,
      unread: started.unread
    }
  }
})
