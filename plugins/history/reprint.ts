import { Type, type Static } from 'typebox'
import { operation, wireTrayId, type DaemonContext, type PrinterSession } from '../../core/index.js'
import { Judgement, type Judged, type PrintWish } from '../projects/index.js'
import { FileChanged, FileGone, FileUnknown, NoPrint, NoPrinterForPrint } from './errors.js'
import { findAsked, type Db } from './queries.js'
import type { PrintView } from './schemas.js'

const SLOT = /^ams (\d+) slot (\d+)$/
const UNUSED = -1

/** The spools that a print drew from, tray by filament id - 1; undefined where one was in no AMS or is not known. */
export function mappingOf (filaments: PrintView['filaments']): number[] | undefined {
  const trays: number[] = []
  for (const { filament, place } of filaments) {
    const [, amsId, slot] = SLOT.exec(place) ?? []
    if (amsId === undefined || slot === undefined) return undefined
    while (trays.length < filament) trays.push(UNUSED)
    trays[filament - 1] = wireTrayId(Number(amsId), Number(slot))
  }
  return trays.length === 0 ? undefined : trays
}

/** What a print is started with once more. Of one that was started elsewhere, as much as it showed. */
export const wishOf = (print: Pick<PrintView, 'project_path' | 'plate' | 'filaments'>, asked: PrintWish | undefined):
PrintWish => asked ?? {
  file: print.project_path,
  plate: Math.max(1, print.plate),
  plateType: 'auto',
  mapping: mappingOf(print.filaments),
  leveling: true,
  flow: false,
  timelapse: false
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
  outcome: Type.String({ description: 'started, or unconfirmed when the printer told of nothing' }),
  ...Judgement
}, { 'x-name': 'Reprinted' })

/** @throws PRN_ERR_REPRINT_FILE, PRN_ERR_REPRINT_CHANGED, those of the card */
async function checkFile ({ optional, services, signal }: DaemonContext, session: PrinterSession, print: PrintView,
  { file }: PrintWish): Promise<void> {
  if (!optional.files) return
  if (!await optional.files.has(session, file, { signal })) {
    if (await services.history.restoreFile(print, session, file, signal)) return
    throw new FileGone(file, session.name)
  }
  if (print.md5 === '' || file !== print.project_path) return
  const md5 = await optional.projects?.reader.openCurrent(session, file, async project => project.source.md5, signal)
  if (md5 !== undefined && md5 !== '' && md5 !== print.md5) throw new FileChanged(file, session.name)
}

export const reprint = operation({
  name: 'history.reprint',
  summary: 'Print a recorded print once more: same file, plate and spools, judged as a new one',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'A physical job starts on the printer of the record: it heats, moves and uses up filament. The plate ' +
    'must be empty.',
  input: Type.Object({
    id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of a print' }),
    acceptMismatch: Type.Optional(Type.Boolean({ default: false }))
  }),
  output: Reprinted,
  errors: [NoPrint, NoPrinterForPrint, FileUnknown, FileGone, FileChanged],
  async run (context, { id, acceptMismatch = false }): Promise<Static<typeof Reprinted>> {
    const { services: { database }, kernel, askedBy, signal, progress } = context
    const found = await database.query((db: Db) => findAsked(db, id))
    if (!found) throw new NoPrint(id)
    const { print, asked } = found
    const wish = wishOf(print, asked)
    const print3mf = kernel.operations.get('projects.print')
    if (wish.file === '' || !print3mf) throw new FileUnknown(id)
    const session = printerOf(context, print)
    await checkFile(context, session, print, wish)
    const { mapping, ...rest } = wish
    const started = await kernel.call(print3mf, {
      ...rest, acceptMismatch, useAms: mapping !== undefined, ...(mapping && { mapping: [...mapping] })
    }, { printer: session.name, surface: askedBy, signal, progress }) as
      Judged & { ams_mapping: string, outcome: string }
    return {
      printer: session.name,
      file: wish.file,
      plate: wish.plate,
      mapping: started.ams_mapping,
      outcome: started.outcome,
      warnings: started.warnings,
      mapping_words: started.mapping_words
    }
  }
})
