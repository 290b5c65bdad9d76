import type { Language } from '../../../core/index.js'
import { mayCall, type CheckContext } from '../check/check-context.js'
import { TRIGGER_KINDS } from '../types.js'
import { why, whyInWords } from '../words/why.js'
import { consequenceOf, fieldsOf, inWords, operationInWords } from './index.js'

const MOST_SOUGHT = 10

/** Whether a thing has one of the sought words in its name or its words; without any, all are wanted. */
function seeker (find: string): (...texts: readonly string[]) => boolean {
  const sought = find.toLowerCase().split(/\s+/).filter(word => word !== '').slice(0, MOST_SOUGHT)
  return (...texts) => sought.length === 0 || sought.some(word => texts.some(text => text.toLowerCase().includes(word)))
}

/** What rules of this caller can be made of, in words. @param find only what has one of these words */
export function vocabularyView (context: CheckContext, lang: Language, find = '') {
  const isSought = seeker(find)
  const { words, kernel, hasBroker, schedule, sees } = context
  const missing: Readonly<Record<string, string>> = {
    ...!hasBroker && { mqtt: whyInWords(why('no_broker'), lang) },
    ...schedule.place === undefined && { sun: whyInWords(why('no_place'), lang) }
  }
  return {
    events: [...words.events.values()].map(event => ({
      name: event.name,
      words: inWords(event.named, lang),
      per_printer: event.perPrinter,
      has_past: event.past !== undefined,
      fields: fieldsOf(event).map(({ name, type, choices }) => {
        const named = Object.hasOwn(event.fieldNames, name) ? event.fieldNames[name] : undefined
        return { name, words: named === undefined ? name : inWords(named, lang), type, choices: [...choices] }
      })
    })).filter(({ name, words }) => isSought(name, words)),
    values: [...words.values.values()].map(value => ({
      name: value.name,
      words: inWords(value.named, lang),
      type: value.type,
      unit: value.unit ?? '',
      choices: [...value.choices ?? []],
      per_printer: value.perPrinter
    })).filter(({ name, words }) => isSought(name, words)),
    operations: [...words.operations.values()].filter(operation => mayCall(operation, context)).map(operation => ({
      name: operation.name,
      words: operationInWords(operation, lang),
      per_printer: operation.scope !== 'daemon',
      effect: operation.effect as string,
      consequence: consequenceOf(operation, lang) ?? '',
      input: JSON.parse(JSON.stringify(operation.input)) as Record<string, unknown>
    })).filter(({ name, words }) => isSought(name, words)),
    triggers: TRIGGER_KINDS.map(kind => ({ kind, available: missing[kind] === undefined, why_not: missing[kind] ?? '' })),
    printers: kernel.printers.names.filter(sees)
  }
}
