import { Type } from 'typebox'
import { clockKey, defineRuleEvent, type Named, type Occurrence, type RuleEvent } from '../../../core/index.js'
import type { Print, PrintView } from '../../history/index.js'

const RESULTS = ['finished', 'failed', 'cancelled', 'unknown'] as const
const MINUTE_MS = 60_000
/** Prints that a dry run looks at. */
const MOST_PAST = 5_000

const names: Readonly<Record<string, Named>> = {
  name: { en: 'name of the print', de: 'Name des Drucks', zh: '打印名称' },
  result: { en: 'result', de: 'Ergebnis', zh: '结果' },
  percent: { en: 'percent done', de: 'Prozent fertig', zh: '完成百分比' },
  minutes: { en: 'minutes', de: 'Minuten', zh: '分钟数' },
  started_by: { en: 'started by', de: 'gestartet von', zh: '启动者' }
}
const name = Type.String({ description: 'Of the print' })
const startedBy = Type.String({ description: 'Who started it, such as http (anna)' })

const namesOf = (fields: object): Record<string, Named> =>
  Object.fromEntries(Object.keys(fields).map(key => [key, names[key] as Named]))

interface PrintEvent {
  readonly name: string
  readonly named: Named
  readonly fields: Parameters<typeof Type.Object>[0]
  /** The occurrence for a state of a print; undefined for none. */
  readonly of: (printer: string, print: Print, before: string | undefined) => Omit<Occurrence, 'printer'> | undefined
  readonly past?: (print: PrintView) => Omit<Occurrence, 'printer'> | undefined
}

function printEvent ({ name, named, fields, of, past }: PrintEvent): RuleEvent {
  return defineRuleEvent({
    name,
    named,
    fields: Type.Object(fields),
    fieldNames: namesOf(fields),
    perPrinter: true,
    watch (kernel, happened) {
      const states = new Map<string, string>()
      return kernel.events.on('history:print', (printer, print) => {
        const before = states.get(printer)
        states.set(printer, `${print.id} ${print.state}`)
        const occurrence = of(printer, print, before)
        if (occurrence) happened({ printer, ...occurrence })
      })
    },
    ...past && {
      async past (kernel, since) {
        const found: Occurrence[] = []
        for await (const print of kernel.services.history.since(since)) {
          const occurrence = past(print)
          if (occurrence) found.push({ printer: print.printer, ...occurrence })
          if (found.length >= MOST_PAST) break
        }
        return found.reverse()
      }
    }
  })
}

const minutesOf = (from: number, to: number): number => Math.max(0, Math.round((to - from) / MINUTE_MS))

/** Went from another state of the same print to this one. */
const turned = (print: Print, before: string | undefined, state: string): boolean =>
  print.result === 'running' && print.state === state && before !== undefined &&
  before.startsWith(`${print.id} `) && before !== `${print.id} ${state}`

/** What happens to prints, from the record of prints. */
export const printEvents: readonly RuleEvent[] = [
  printEvent({
    name: 'print.began',
    named: { en: 'a print begins', de: 'ein Druck beginnt', zh: '打印开始' },
    fields: { name, started_by: startedBy },
    of: (_, { id, job, startedAt, startedBy: by, result, startSeen }, before) =>
      result !== 'running' || !startSeen || before?.startsWith(`${id} `)
        ? undefined
        : { key: `${id}:began`, at: startedAt, fields: { name: job.subtaskName, started_by: by } },
    past: print => print.start_seen
      ? { key: `${print.id}:began`, at: print.started_at, fields: { name: print.name, started_by: print.started_by } }
      : undefined
  }),
  printEvent({
    name: 'print.ended',
    named: { en: 'a print ends', de: 'ein Druck endet', zh: '打印结束' },
    fields: {
      result: Type.Enum(RESULTS, { description: 'How it ended' }),
      name,
      percent: Type.Number({ description: 'How far it came' }),
      minutes: Type.Number({ description: 'From start to end' }),
      started_by: startedBy
    },
    of: (_, { id, job, endedAt, startedAt, result, percent, startedBy: by }) => result === 'running' || endedAt === undefined
      ? undefined
      : {
          key: `${id}:ended`,
          at: endedAt,
          fields: { result, name: job.subtaskName, percent, minutes: minutesOf(startedAt, endedAt), started_by: by }
        },
    past: ({ id, name, ended_at: at, started_at: from, reported_result: result, percent, started_by: by }) =>
      result === 'running' || at === null
        ? undefined
        : { key: `${id}:ended`, at, fields: { result, name, percent, minutes: minutesOf(from, at), started_by: by } }
  }),
  printEvent({
    name: 'print.paused',
    named: { en: 'a print pauses', de: 'ein Druck pausiert', zh: '打印暂停' },
    fields: { name, percent: Type.Number({ description: 'How far it is' }) },
    of: (_, print, before) => turned(print, before, 'PAUSE')
      ? { ...clockKey(`${print.id}:paused`, print.seenAt), at: print.seenAt, fields: { name: print.job.subtaskName, percent: print.percent } }
      : undefined
  }),
  printEvent({
    name: 'print.resumed',
    named: { en: 'a print resumes', de: 'ein Druck wird fortgesetzt', zh: '打印继续' },
    fields: { name, percent: Type.Number({ description: 'How far it is' }) },
    of: (_, print, before) => before === `${print.id} PAUSE` && turned(print, before, 'RUNNING')
      ? { ...clockKey(`${print.id}:resumed`, print.seenAt), at: print.seenAt, fields: { name: print.job.subtaskName, percent: print.percent } }
      : undefined
  })
]
