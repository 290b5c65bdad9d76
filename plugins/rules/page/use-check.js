// What the service says about a rule while it is edited: what is wrong, what it does without a person, and how often it
// would have run.

import { call, shell, t } from 'shell'
import { failedText, useEffect, useRef, useState } from './lib.js'
import { conditionName } from './conditions.js'
import { pathText, toSend } from './rule.js'

const TYPING_MS = 350
const DAYS = 7
const MOST_NAME = 80

/** A name for a rule that has none yet. @param {any} rule @param {import('./vocabulary.js').Vocabulary} vocabulary */
export function suggestedName ({ when: [first], then }, { events, values, operations }) {
  const begins = first && (events.get(first.event)?.words ?? values.get(first.value)?.words ?? t(`rules.new.${first.kind}`))
  const step = then.find(({ kind }) => kind === 'call' || kind === 'message') ?? then[0]
  const does = step && (operations.get(step.operation)?.words ?? t(`rules.new.${step.kind}`))
  const words = [begins, does].filter(Boolean).join(' → ').slice(0, MOST_NAME)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What is said while the rule cannot be checked yet. */
const missing = ({ when, then }) => when.length === 0 ? t('rules.check.when') : then.length === 0 ? t('rules.check.then') : ''

/** A list without a condition is refused as a whole; said where the list is. @param {any} rule */
function emptyLists (rule, vocabulary) {
  const found = []
  rule.if.forEach((condition, at) => {
    if (condition.any?.length === 0) found.push({ path: `if.${at}`, words: t('rules.check.empty', { part: conditionName(condition, vocabulary) }) })
  })
  rule.then.forEach((step, at) => {
    if (step.if?.length === 0) found.push({ path: `then.${at}`, words: t('rules.check.empty', { part: t(`rules.new.${step.kind}`) }) })
    if (step.kind === 'message' && step.text.trim() === '') found.push({ path: `then.${at}`, words: t('rules.check.text') })
  })
  return found
}

/** @type {{ ok: boolean, errors: any[], warnings: any[], consequence: string, hash: string, problem: string }} */
const NOTHING = { ok: false, errors: [], warnings: [], consequence: '', hash: '', problem: '' }

const atPaths = problems => problems.map(({ path, words }) => ({ path: pathText(path), words }))

/** @param {any} rule to send, with a name */
async function checked (rule) {
  try {
    const body = await call('POST', 'rules/check', { rule, lang: shell.language })
    const { ok, errors, warnings, consequence, accept_consequence: hash } = body
    return { ...NOTHING, ok, errors: atPaths(errors), warnings: atPaths(warnings), consequence, hash }
  } catch (error) {
    return { ...NOTHING, problem: failedText(/** @type {Error} */ (error)) }
  }
}

/**
 * @param {any} rule as it is edited @param {string} name @param {import('./vocabulary.js').Vocabulary} vocabulary
 */
export function useCheck (rule, name, vocabulary) {
  const [check, setCheck] = useState({ ...NOTHING, isLate: true })
  const [past, setPast] = useState(/** @type {any} */ (undefined))
  const sent = JSON.stringify({ ...toSend(rule), name })
  const current = useRef(sent)
  current.current = sent
  /** Costs the service time, so it is asked for. */
  const lookUp = async () => {
    setPast({ isLate: true })
    const body = await call('POST', 'rules/try', { rule: JSON.parse(sent), days: DAYS, lang: shell.language }).catch(error => ({ problem: failedText(error) }))
    if (current.current === sent) setPast(body)
  }
  useEffect(() => {
    let isWanted = true
    setPast(undefined)
    setCheck(known => ({ ...known, isLate: true }))
    const lacks = missing(rule)
    const own = emptyLists(rule, vocabulary)
    if (lacks !== '' || own.length > 0) return setCheck({ ...NOTHING, errors: own, problem: lacks, isLate: false })
    const timer = setTimeout(async () => {
      const found = await checked(JSON.parse(sent))
      if (isWanted) setCheck({ ...found, isLate: false })
    }, TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [sent])
  return { check, past, lookUp }
}
