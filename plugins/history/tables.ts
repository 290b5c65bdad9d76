import type { PrinterSession } from '../../core/index.js'
import type { Kysely, Row } from '../database/index.js'
import { certainMapping, costOf, usedOf, type Prices } from './filament.js'
import type { Print, Sum } from './types.js'

/** Times in ms since the epoch, durations in s, switches 0 or 1. */
export interface PrintRow {
  id: string
  serial: string
  printer: string
  model: string
  name: string
  file: string
  project_path: string
  md5: string
  plate: number
  task_id: string
  print_type: string
  started_at: number
  start_seen: number
  ended_at: number | null
  end_seen: number
  result: string
  /** By a person, in place of `result`. */
  corrected: string | null
  started_by: string
  ended_by: string
  percent: number
  layer: number
  total_layers: number
  planned_s: number
  prepare_s: number
  printing_s: number
  paused_s: number
  unseen_s: number
  interruptions: number
  /** JSON. */
  faults: string
  note: string | null
  rating: number | null
  /** `,PLA,PETG,`, for searches. */
  materials: string
  /** `,toy,gift,`. */
  tags: string
  /** Id of the queue's job; empty without one. */
  queue_job: string
  /** JSON: what it was started with; empty where it was not from here. */
  asked: string
  /** JSON: where its filaments came from as it began, `null` unknown; empty in records from before this was stored. */
  mapping: string
  /** Of all filaments, in the currency of the prices; null unknown. */
  cost: number | null
  /** Made by the database: `corrected` or `result`. */
  readonly outcome: string
  /** Made by the database: name, note and tags in small letters. */
  readonly searched: string
}

export interface FilamentRow {
  id: string
  print: string
  filament: number
  material: string
  color: string
  place: string
  tag: string
  grams: number | null
  metres: number | null
  cost: number | null
}

/** Of days and months. Sums of prints that are deleted to save room stay: `expired` is when that was, else 0. */
interface SumRow extends Sum { readonly expired: number }

export interface Tables {
  history_prints: PrintRow
  history_filaments: FilamentRow
  history_sums: SumRow
  /** Days with prints that changed since they were summed up. */
  history_stale: { day: number }
  /** `at`: when the print began; `data` is compressed, of that many `bytes`. */
  history_telemetry: { id: string, at: number, bytes: number, data: string }
  history_events: {
    id: string, print: string, at: number, kind: string, name: string, severity: string, text: string
  }
  /** By serial: the service that records the prints of a printer; `until` in seconds by the server's clock. */
  history_writers: { id: string, owner: string, until: number }
  /** By serial: the newest print, JSON, for the service that goes on with it. */
  history_newest: { id: string, writer: string, print: string }
  /** What people did by other services than the one that records. */
  history_told: {
    id: string, serial: string, kind: 'start' | 'stop', caller: string, called_at: number, asked: string, job: string
  }
}

export type Db = Kysely<Tables>

export interface Owner { readonly serial: string, readonly printer: string, readonly model: string }

export const ownerOf = ({ name, config, model }: PrinterSession): Owner =>
  ({ serial: config.serial, printer: name, model: model.model })

const seconds = (value: number): number => Math.round(value * 10) / 10

/** Texts between commas, so that each of them can be found as a whole. */
export const listText = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : `,${[...new Set(texts)].map(text => text.replaceAll(',', ' ')).join(',')},`

export const textsOf = (list: string): string[] => list.split(',').filter(text => text !== '')

/** Without the columns that belong to people: note, rating and corrected result. */
const printRow = (print: Print, owner: Owner, cost: number | null): Row => ({
  table: 'history_prints',
  values: {
    id: print.id,
    ...owner,
    name: print.job.subtaskName,
    file: print.file,
    project_path: print.projectPath,
    md5: print.md5,
    plate: print.job.plate,
    task_id: print.job.taskId,
    print_type: print.printType,
    started_at: print.startedAt,
    start_seen: Number(print.startSeen),
    ended_at: print.endedAt ?? null,
    end_seen: Number(print.endSeen),
    result: print.result,
    started_by: print.startedBy,
    ended_by: print.endedBy,
    percent: print.percent,
    layer: print.layer,
    total_layers: print.totalLayers,
    planned_s: print.plannedSeconds,
    prepare_s: seconds(print.times.prepare),
    printing_s: seconds(print.times.printing),
    paused_s: seconds(print.times.paused),
    unseen_s: seconds(print.times.unseen),
    interruptions: print.interruptions,
    faults: JSON.stringify(print.faults),
    cost,
    queue_job: print.queueJob ?? '',
    asked: print.asked === undefined ? '' : JSON.stringify(print.asked),
    mapping: JSON.stringify(certainMapping(print) ?? null),
    materials: listText(print.filaments.map(({ material }) => material))
  }
})

/** The number of a filament; for spools that took over with one more behind it. */
export function pieceId (filaments: readonly { readonly filament: number }[], at: number): string {
  const number = filaments[at]?.filament
  const before = filaments.slice(0, at).filter(({ filament }) => filament === number).length
  return before === 0 ? `${number}` : `${number}.${before}`
}

/** A print and its filaments as rows. */
export function rowsOf (print: Print, owner: Owner, prices: Prices = {}): Row[] {
  const filaments = print.filaments.map(use => {
    const grams = usedOf(print, use.plannedGrams)
    const metres = usedOf(print, use.plannedMetres)
    return { ...use, grams, metres, cost: costOf(prices, use.material, grams) }
  })
  const costs = filaments.flatMap(({ cost }) => cost ?? [])
  const cost = costs.length > 0 && costs.length === filaments.length ? costs.reduce((sum, one) => sum + one, 0) : null
  return [printRow(print, owner, cost), ...filaments.map((use, at) => ({
    table: 'history_filaments',
    values: {
      id: `${print.id}:${pieceId(filaments, at)}`,
      print: print.id,
      filament: use.filament,
      material: use.material,
      color: use.color,
      place: use.place,
      tag: use.tag,
      grams: use.grams,
      metres: use.metres,
      cost: use.cost
    }
  }))]
}

/** For a service that goes on with the record of a printer. */
export const newestRow = (print: Print, { serial }: Owner, writer: string): Row =>
  ({ table: 'history_newest', values: { id: serial, writer, print: JSON.stringify(print) } })
