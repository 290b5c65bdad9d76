import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { BadInput, NotFound } from '../../../core/index.js'
import type { Service } from '../service.js'
import { printable, table, type Row } from '../table.js'
import { writeNewFile } from '../write-new-file.js'
import { ask, connect, screen, type Screen } from './jobs.js'

interface Options { readonly config?: string }
export interface ListOptions extends Options { readonly archived?: boolean, readonly json?: boolean }
export interface WeighOptions extends Options { readonly empty?: number }
export interface BuyOptions extends Options { readonly days?: number, readonly json?: boolean }
export interface ImportOptions extends Options { readonly skipBroken?: boolean, readonly yes?: boolean }
export interface ExportOptions extends Options { readonly format: 'csv' | 'json', readonly out?: string }

type Caller = Pick<Service, 'call'>
type Sender = Pick<Service, 'send'>

interface Spool {
  readonly id: string
  readonly name: string
  readonly material: string
  readonly left_g: number | null
  readonly place: string
}

interface Inventory {
  readonly spools: readonly Spool[]
  readonly places: readonly { readonly id: string, readonly name: string }[]
  readonly slots: readonly { readonly printer: string, readonly place: string, readonly spool: string | null }[]
}

const gramsText = (amount: number | null): string => amount === null ? 'unknown' : `${Math.round(amount)} g`

const inventoryOf = (service: Caller, params: object = {}): Promise<Inventory> =>
  service.call<Inventory>('GET', '/api/spools/inventory', { ...params })

/** The spools that have all of the words. */
export async function listSpools (
  service: Caller, { say, colours }: Screen, words: readonly string[], { archived = false, json = false }: ListOptions
): Promise<void> {
  const inventory = await inventoryOf(service, { text: words.join(' ').slice(0, 200), archived: archived ? 'yes' : 'no' })
  if (json) return say(JSON.stringify(inventory.spools, null, 2))
  if (inventory.spools.length === 0) return say('There is no such spool. A list is imported with prnd spools import FILE.')
  const whereIs = ({ id, place }: Spool): string => {
    const slot = inventory.slots.find(({ spool }) => spool === id)
    return slot ? `${slot.printer}, ${slot.place}` : inventory.places.find(one => one.id === place)?.name ?? ''
  }
  const rows = inventory.spools.map((spool): Row =>
    [spool.id, spool.name, spool.material, gramsText(spool.left_g), whereIs(spool)])
  for (const line of table(rows, colours)) say(line)
}

/** A spool by id, or by a name that only one has. */
async function spoolOf (service: Caller, wanted: string): Promise<Spool> {
  const { spools } = await inventoryOf(service)
  const own = spools.find(({ id }) => id === wanted)
  const [named, other] = spools.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (own === undefined && other !== undefined) {
    throw new BadInput(`Several spools are called '${wanted}'; name one by its id: prnd spools list`)
  }
  const found = own ?? named
  if (found === undefined) throw new NotFound(`There is no spool '${wanted}'; prnd spools list shows all`)
  return found
}

interface Weighed {
  readonly left_g: number | null
  readonly weighing: { readonly thought_g: number, readonly left_g: number, readonly counted_g: number } | null
}

export async function weighSpool (
  service: Caller, { say }: Screen, wanted: string, gross: number, { empty }: WeighOptions
): Promise<void> {
  const spool = await spoolOf(service, wanted)
  const { left_g: left, weighing } = await service.call<Weighed>('POST', `/api/spools/${encodeURIComponent(spool.id)}/weigh`, {
    gross_g: gross, ...empty !== undefined && { empty_g: empty }
  })
  say(`${printable(spool.name)}: ${gramsText(left)} left`)
  if (weighing === null) return
  const { thought_g: thought, counted_g: counted } = weighing
  say(`  ${gramsText(thought)} were thought to be left; ${gramsText(counted)} were counted since it was last known.`)
}

interface Supply {
  readonly filaments: readonly {
    readonly brand: string
    readonly material: string
    readonly color_name: string
    readonly color: string
    readonly left_g: number
    readonly needed_g: number
    readonly runs_out_at: number | null
    readonly buy: number
  }[]
  readonly totals: readonly { readonly currency: string, readonly price: number }[]
}

export async function showSupply (
  service: Caller, { say, colours }: Screen, { days, json = false }: BuyOptions
): Promise<void> {
  const supply = await service.call<Supply>('GET', '/api/spools/shopping', { ...days !== undefined && { days } })
  if (json) return say(JSON.stringify(supply, null, 2))
  if (supply.filaments.length === 0) return say('Nothing was used, and nothing is planned.')
  const rows = supply.filaments.map((one): Row => [
    [one.brand, one.material, one.color_name || one.color].filter(text => text !== '').join(' '),
    `${gramsText(one.left_g)} left`,
    `${gramsText(one.needed_g)} needed`,
    one.runs_out_at === null ? '' : `until ${new Date(one.runs_out_at).toISOString().slice(0, 10)}`,
    one.buy > 0 ? { text: `buy ${one.buy}`, tone: 'warn' } : ''
  ])
  for (const line of table(rows, colours)) say(line)
  for (const { currency, price } of supply.totals) say(`Together ${price.toFixed(2)} ${printable(currency)}`.trimEnd())
}

interface BrokenRow {
  readonly line: number
  readonly column: string
  readonly value: string
  readonly reason: string
}

interface Imported {
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly broken: number
  readonly problems: readonly BrokenRow[]
  readonly ignored: readonly string[]
  readonly applied: boolean
}

const MOST_PROBLEMS_SHOWN = 20

function sayPlan ({ say }: Screen, { added, changed, unchanged, broken, problems, ignored }: Imported): void {
  say(`${added} new, ${changed} changed, ${unchanged} as they are, ${broken} that cannot be read`)
  for (const { line, column, value, reason } of problems.slice(0, MOST_PROBLEMS_SHOWN)) {
    const where = column === '' ? `line ${line}` : `line ${line}, ${printable(column)}`
    say(`  ${where}: ${printable(reason)}${value === '' ? '' : ` (${printable(value)})`}`)
  }
  if (problems.length > MOST_PROBLEMS_SHOWN) say(`  ... and ${problems.length - MOST_PROBLEMS_SHOWN} more`)
  if (ignored.length > 0) say(`Not understood, and left out: ${printable(ignored.join(', '))}`)
}

/** Says what an import would do, and does it if that is wanted. @returns whether it was done */
export async function importSpools (
  service: Sender, output: Screen, file: string, { skipBroken = false }: ImportOptions,
  confirm: (question: string) => Promise<boolean>
): Promise<boolean> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true) throw new BadInput(`There is no file '${file}'`)
  const type = /\.json$/i.test(file) ? 'application/json' : 'text/csv'
  const send = (query: string) => service.send<Imported>(`/api/spools/import${query}`, createReadStream(file), type)
  const plan = await send('')
  sayPlan(output, plan)
  if (plan.added + plan.changed + plan.broken === 0) return true
  if (plan.broken > 0 && !skipBroken) {
    output.say('Nothing was imported: correct these rows, or leave them out with --skip-broken.')
    return false
  }
  if (plan.added + plan.changed === 0) return true
  if (!await confirm('Import them?')) {
    output.say('Nothing was imported.')
    return false
  }
  const { applied, added, changed } = await send(`?apply=true&skip_broken=${skipBroken}`)
  if (!applied) throw new BadInput('The service did not import the list; try again')
  output.say(`Imported: ${added} new, ${changed} changed`)
  return true
}

export async function list (words: readonly string[], options: ListOptions): Promise<void> {
  await listSpools(await connect(options), screen(), words, options)
}

export async function weigh (spool: string, gross: number, options: WeighOptions): Promise<void> {
  await weighSpool(await connect(options), screen(), spool, gross, options)
}

export async function buy (options: BuyOptions): Promise<void> {
  await showSupply(await connect(options), screen(), options)
}

export async function importFile (file: string, options: ImportOptions): Promise<void> {
  const confirm = options.yes === true ? async () => true : ask
  const done = await importSpools(await connect(options), screen(), file, options, confirm)
  if (!done) process.exitCode = 1
}

export async function exportSpools (
  service: Pick<Service, 'download'>, { say }: Screen, { format, out }: ExportOptions,
  write: (list: Uint8Array) => unknown = list => process.stdout.write(list)
): Promise<void> {
  const list = await service.download(`/api/spools/export?format=${format}`)
  if (out === undefined) {
    write(list)
    return
  }
  await writeNewFile(out, list)
  say(`Saved as ${out}.`)
}

export async function exportList (options: ExportOptions): Promise<void> {
  await exportSpools(await connect(options), screen(), options)
}
