import { TASKS, type Equipment } from './tasks.data.js'
import type { Every } from './counters.js'
import type { TaskRow } from './tables.js'
import { texts } from './texts/index.js'

/** A task as it applies to one or more printers. */
export interface Task {
  readonly id: string
  /** In English for a built-in task; pages have its words in their language. */
  readonly name: string
  readonly why: string
  readonly every: Every
  /** Its interval is that of the package. */
  readonly isUsual: boolean
  readonly isOwn: boolean
  /** Serials; undefined: every printer that it suits. */
  readonly printers: readonly string[] | undefined
  /** Due, it holds the queue back on its printer. */
  readonly blocks: boolean
  readonly isOff: boolean
  readonly suits: (equipment: Equipment) => boolean
}

const WORDS: Readonly<Record<string, string>> = texts.en
const OWN = /^own-/

export const isBuiltIn = (id: string): boolean => TASKS.some(task => task.id === id)
export const isOwn = (id: string): boolean => OWN.test(id)

const everyIn = (json: string): Every | undefined => json === '' ? undefined : JSON.parse(json)
/** Serials of a task; undefined: every printer. */
export const printersIn = (json: string): readonly string[] | undefined => json === '' ? undefined : JSON.parse(json)

/** A row that changes nothing yet. */
export const emptyRow = (id: string): TaskRow => ({
  id, name: '', why: '', every: '', printers: '', blocks: 0, is_off: 0, archived: 0, changed_at: 0, changed_by: ''
})

/** All tasks, built-in ones first, as people changed them. @param isOver also those that were removed */
export function tasksOf (rows: readonly TaskRow[], isOver = false): Task[] {
  const byId = new Map(rows.map(row => [row.id, row]))
  const builtIn = TASKS.map(({ id, every, suits }): Task => {
    const row = byId.get(id) ?? emptyRow(id)
    return {
      id,
      name: WORDS[`maintenance.task.${id}`] ?? id,
      why: WORDS[`maintenance.why.${id}`] ?? '',
      every: everyIn(row.every) ?? every,
      isUsual: row.every === '',
      isOwn: false,
      printers: printersIn(row.printers),
      blocks: row.blocks === 1,
      isOff: row.is_off === 1,
      suits
    }
  })
  const own = rows.filter(row => isOwn(row.id) && (isOver || row.archived === 0)).map((row): Task => ({
    id: row.id,
    name: row.name,
    why: row.why,
    every: everyIn(row.every) ?? {},
    isUsual: false,
    isOwn: true,
    printers: printersIn(row.printers),
    blocks: row.blocks === 1,
    isOff: row.is_off === 1,
    suits: () => true
  }))
  return [...builtIn, ...own]
}

/** Whether a printer has this task. */
export const appliesTo = ({ printers, isOff, suits }: Task, serial: string, equipment: Equipment): boolean =>
  !isOff && (printers?.includes(serial) ?? true) && suits(equipment)
