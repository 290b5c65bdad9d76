import type { Language } from '../../../core/index.js'
import type { Run, Step, StepRecord } from '../types.js'
import type { Words } from '../vocabulary/index.js'
import { callInWords } from './call-in-words.js'
import { stepInWords } from './rule-in-words.js'
import { filled, pageText, timeInWords } from './value-in-words.js'
import { whyInWords } from './why.js'

const MESSAGE = 'message: '
const WAIT = /^wait (\d{1,9}) s$/

/**
 * What a step did: by what it was called with, else by the rule, else by what was recorded.
 * @param step of the rule as it was then
 */
export function recordInWords ({ act, what }: StepRecord, step: Step | undefined, words: Words,
  lang: Language): string {
  if (act !== undefined) {
    const { operation, printer, input } = act
    return callInWords({ kind: 'call', operation, input, ...printer !== undefined && { printer } }, { words, lang, when: [] })
  }
  if (what.startsWith(MESSAGE)) return filled(lang, 'message_info', { text: what.slice(MESSAGE.length) })
  if (step !== undefined) return stepInWords(step, words, lang)
  const seconds = WAIT.exec(what)?.[1]
  if (seconds !== undefined) return filled(lang, 'wait', { time: timeInWords(Number(seconds), lang) })
  return pageText(what === 'stop if' ? 'rules.new.stop_if' : 'rules.new.wait_until', lang) ?? what
}

/** What became of a run, and why. */
export function runInWords ({ ruleName, printer, state, reason }: Run, lang: Language): string {
  const what = printer === undefined ? ruleName : `${ruleName} (${printer})`
  const became = filled(lang, 'field', { field: what, value: pageText(`rules.state.${state}`, lang) ?? state })
  const said = whyInWords(reason, lang)
  return said === '' ? became : filled(lang, 'because', { what: became, why: said })
}
