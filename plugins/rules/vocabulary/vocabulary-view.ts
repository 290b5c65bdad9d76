import type { Language } from '../../../core/index.js'
import { mayCall, type CheckContext } from '../check/check-context.js'
import { TRIGGER_KINDS } from '../types.js'
import { why, whyInWords } from '../words/why.js'
import { fieldsOf, inWords, operationInWords } from './index.js'

/** What rules of this caller can be made of, in words. */
export function vocabularyView (context: CheckContext, lang: Language) {
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
    })),
    values: [...words.values.values()].map(value => ({
      name: value.name,
      words: inWords(value.named, lang),
      type: value.type,
      unit: value.unit ?? '',
      choices: [...value.choices ?? []],
      per_printer: value.perPrinter
    })),
    operations: [...words.operations.values()].filter(operation => mayCall(operation, context)).map(operation => ({
      name: operation.name,
      words: operationInWords(operation, lang),
      per_printer: operation.scope !== 'daemon',
      effect: operation.effect as string,
      consequence: operation.consequence ?? '',
      input: JSON.parse(JSON.stringify(operation.input)) as Record<string, unknown>
    })),
    triggers: TRIGGER_KINDS.map(kind => ({ kind, available: missing[kind] === undefined, why_not: missing[kind] ?? '' })),
    printers: kernel.printers.names.filter(sees)
  }
}
