import { BadInput } from '../../../core/index.js'
import { CONDITIONS } from '../../../plugins/state/index.js'
import { painted, printable } from '../table.js'
import type { Service } from '../service.js'
import { ask, connect, find, screen, type Confirm, type Screen } from './jobs.js'
import { showFindings } from './print-findings.js'
import { localFile, sendToCard, sendToLibrary, type LocalFile } from './send-file.js'

export interface PrintOptions {
  readonly config?: string
  readonly plate?: number
  readonly spools?: readonly number[]
  readonly external?: boolean
  readonly bed?: string
  readonly leveling?: boolean
  readonly flow?: boolean
  readonly timelapse?: boolean
  readonly acceptMismatch?: boolean
  readonly acceptFindings?: readonly string[]
  readonly queue?: boolean
  readonly copies?: number
  readonly yes?: boolean
}

type Sender = Pick<Service, 'call' | 'send'>

/** Properties of a plate, on a card or in the library. */
interface Facts { readonly printable: boolean, readonly seconds: number | null, readonly grams: number | null }
interface Plate extends Facts { readonly number: number }

/** The requested plate, or the only sliced one. @throws PRN_ERR_BAD_INPUT */
export function plateOf<T extends Plate> (plates: readonly T[], wanted: number | undefined, name: string): T {
  const sliced = plates.filter(({ printable: is }) => is)
  if (sliced.length === 0) throw new BadInput(`'${name}' is not sliced: slice it first, then export the sliced file`)
  const only = sliced.length === 1 ? sliced[0] : undefined
  const found = wanted === undefined ? only : sliced.find(({ number }) => number === wanted)
  if (found) return found
  const numbers = sliced.map(({ number }) => number).join(', ')
  if (wanted === undefined) throw new BadInput(`'${name}' has several sliced plates: choose one of ${numbers} with --plate`)
  throw new BadInput(`'${name}' has no sliced plate ${wanted}; it has ${numbers}`)
}

const S_PER_MIN = 60
const MIN_PER_H = 60

function durationOf (seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / S_PER_MIN))
  const hours = Math.floor(minutes / MIN_PER_H)
  return hours > 0 ? `${hours} h ${minutes % MIN_PER_H} min` : `${minutes} min`
}

const plateLine = (name: string, { number, seconds, grams }: Plate): string => [
  `${printable(name)}, plate ${number}`,
  ...(seconds === null ? [] : [durationOf(seconds)]),
  ...(grams === null ? [] : [`${Math.round(grams)} g`])
].join(', ')

interface Preview {
  readonly loaded_spools: readonly { readonly tray_id: number, readonly type: string, readonly color: string }[]
  readonly warnings: readonly { readonly message: string, readonly needs_accept: boolean }[]
  readonly mapping_words: readonly string[]
  readonly resolved_ams_mapping: readonly number[]
  readonly error?: string
}

interface Props {
  readonly plate_num: number
  readonly metadata: Facts
}

const BUSY: ReadonlySet<string> = new Set(['printing', 'preparing', 'paused'])
const GONE: ReadonlySet<string> = new Set(['offline', 'stale', 'unwatched'])
/** Includes reading the card and waiting for the start. */
const PRINT_WITHIN_MS = 120_000

/** Checks the printer before anything is sent. */
async function freePrinter (service: Sender, name: string | undefined): Promise<string> {
  const { name: printer, condition, problem } = await find(service, name)
  const word = CONDITIONS[condition].word.toLowerCase()
  if (GONE.has(condition)) throw new BadInput(`${printer} is ${word}${problem === null ? '' : `: ${problem}`}`)
  if (BUSY.has(condition)) throw new BadInput(`${printer} is ${word}: wait for it, name another printer, or add --queue`)
  return printer
}

function showPreview ({ say, colours }: Screen, preview: Preview): void {
  for (const words of preview.mapping_words) say(`  ${printable(words)}`)
  for (const { message, needs_accept: needs } of preview.warnings) {
    say(`  ${painted(`${needs ? 'Wrong' : 'Note'}: ${printable(message)}`, needs ? 'bad' : 'warn', colours)}`)
  }
}

/** @throws PRN_ERR_BAD_INPUT for the reason of a refusal */
function checkPreview ({ error, warnings, loaded_spools: spools }: Preview, accepts: boolean, dest: string): void {
  const asks = warnings.some(({ needs_accept: needs }) => needs)
  if (error === undefined || (accepts && asks)) return
  const loaded = spools.map(({ tray_id: id, type, color }) => `${id} ${type} ${color}`.trim()).join('; ')
  throw new BadInput(`${printable(error)}${loaded === '' ? '' : ` Trays for --spools: ${printable(loaded)}.`} ` +
    `${asks ? 'To print all the same, add --accept-mismatch. ' : ''}Nothing was started; the file is on the card as ${dest}`)
}

async function printNow (service: Sender, screen: Screen, file: LocalFile, printer: string, options: PrintOptions,
  confirm: Confirm): Promise<boolean> {
  const { say } = screen
  const dest = await sendToCard(service, screen, printer, file)
  const records = await service.call<readonly Props[]>('GET', '/api/get_all_3mf_props_for_file', { printer, file: dest }, PRINT_WITHIN_MS)
  const plates = records.map(({ plate_num: number, metadata }) => ({ number, ...metadata }))
  const plate = plateOf(plates, options.plate, file.name)
  const preview = (source: { use_ams?: false, ams_mapping?: string }) => service.call<Preview>('GET',
    '/api/preview_ams_mapping', { printer, file: dest, plate: plate.number, bed_type: options.bed ?? 'auto', ...source },
    PRINT_WITHIN_MS)
  const { spools } = options
  const byType = options.external ? undefined : await preview(spools ? { ams_mapping: JSON.stringify(spools) } : {})
  const isExternal = byType === undefined || (spools === undefined && byType.loaded_spools.length === 0)
  const shown = isExternal ? await preview({ use_ams: false }) : byType
  say(plateLine(file.name, plate))
  if (isExternal) say('  The filament comes from the external spool holder.')
  showPreview(screen, shown)
  checkPreview(shown, options.acceptMismatch === true, dest)
  const { acceptFindings: accepted = [], bed } = options
  await showFindings(service, screen, {
    printer,
    file: dest,
    plate: plate.number,
    ...(!isExternal && { ams_mapping: JSON.stringify(shown.resolved_ams_mapping) }),
    ...(bed !== undefined && bed !== 'auto' && { bed_type: bed })
  }, accepted, PRINT_WITHIN_MS)
  if (!await confirm(`${printer} heats up, moves and prints at once. Is its plate clear?`)) {
    say(`Nothing was started; the file is on the card as ${dest}.`)
    return false
  }
  const { confirmed } = await service.call<{ confirmed?: boolean }>('POST', '/api/print_3mf', {
    printer,
    filename: dest,
    platenum: plate.number,
    plate: options.bed ?? 'auto',
    use_ams: !isExternal,
    ...(!isExternal && { ams_mapping: JSON.stringify(shown.resolved_ams_mapping) }),
    ...(options.acceptMismatch && { accept_mismatch: true }),
    ...(options.acceptFindings && { accept_findings: options.acceptFindings }),
    bl: options.leveling ?? true,
    flow: options.flow ?? false,
    tl: options.timelapse ?? false
  }, PRINT_WITHIN_MS)
  say(confirmed === false
    ? `${printer}: the print was sent, and the printer has not reported it yet; prnd jobs shows it.`
    : `${printer}: the print is started. prnd watch ${printer} follows it.`)
  return true
}

interface Stored {
  readonly id: string
  readonly plates: readonly (Facts & { readonly plate: number })[]
}

async function printLater (service: Sender, screen: Screen, file: LocalFile, name: string | undefined,
  options: PrintOptions, confirm: Confirm): Promise<boolean> {
  const { say } = screen
  const { id, plates } = await sendToLibrary<Stored>(service, screen, file)
  const plate = plateOf(plates.map(({ plate: number, ...rest }) => ({ number, ...rest })), options.plate, file.name)
  const { copies = 1 } = options
  say(plateLine(file.name, plate) + (copies > 1 ? `, ${copies} copies` : ''))
  const who = name ?? 'Any printer that fits'
  if (!await confirm(`${who} starts it without further questions once its plate is confirmed clear. Add it?`)) {
    say('Nothing was added to the queue.')
    return false
  }
  const job = await service.call<{ name: string, state: string, reason: string }>('POST', '/api/queue', {
    file: id,
    plate: plate.number,
    copies,
    bed_type: options.bed ?? 'auto',
    bed_leveling: options.leveling ?? true,
    flow_calibration: options.flow ?? false,
    timelapse: options.timelapse ?? false,
    ...(options.acceptFindings && { accept_findings: options.acceptFindings }),
    ...(name !== undefined && { printers: [name] })
  })
  say(`${printable(job.name)} is in the queue: ${[job.state, job.reason].filter(Boolean).map(printable).join(', ')}.`)
  return true
}

/** Prints a local file, or adds it to the queue. @returns false if the person declined */
export async function printFile (service: Sender, screen: Screen, path: string, name: string | undefined,
  options: PrintOptions, confirm: Confirm): Promise<boolean> {
  const file = await localFile(path)
  if (options.queue) {
    if (options.spools || options.external || options.acceptMismatch) {
      throw new BadInput('The queue chooses the spools: leave --spools, --external and --accept-mismatch out')
    }
    return await printLater(service, screen, file, name, options, confirm)
  }
  if (options.copies !== undefined) throw new BadInput('--copies is for the queue: add --queue')
  if (options.spools && options.external) throw new BadInput('Give either --spools or --external')
  const printer = await freePrinter(service, name)
  return await printNow(service, screen, file, printer, options, confirm)
}

export default async function print (path: string, printer: string | undefined, options: PrintOptions): Promise<void> {
  const confirm = options.yes === true ? async () => true : ask
  if (!await printFile(await connect(options), screen(), path, printer, options, confirm)) process.exitCode = 1
}
