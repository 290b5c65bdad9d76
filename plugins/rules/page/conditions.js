// "if": comparisons, hours, and groups of them.

import { t } from 'shell'
import { html, ownZone, Sentence, textOr } from './lib.js'
import { Part } from './part.js'
import { ChoicePhrase, ClockPhrase, DaysPhrase, NumberPhrase, TextPhrase } from './phrase.js'
import { AddPart, PickPhrase } from './picker.js'
import { KEY, newCondition, problemsAt } from './rule.js'

const ICONS = { hours: 'clock', value: 'filter' }
const IS = { number: ['above', 'below', 'equal', 'unequal'], text: ['equal', 'unequal', 'one_of'], boolean: ['equal', 'unequal'] }
/** A choice says one of its texts, so that comparing with several is only offered there. */
const comparisonsOf = ({ type, choices }) => (IS[type] ?? IS.text).filter(is => is !== 'one_of' || choices.length > 2)

/** What follows "is": a text is compared in other words than a number. */
const isWords = ({ type, choices }, is) => t(choices.length > 0 || type === 'text' ? `rules.is.text.${is}` : `rules.is.${is}`)

const yesNo = () => [{ value: true, words: t('rules.yes') }, { value: false, words: t('rules.no') }]

/** Several of the texts that a value may take. */
const Several = ({ label, than, choices, onChange }) => html`<span class="days names" role="group" aria-label=${label}>${choices.map(({ value, words }) =>
  html`<button type="button" key=${value} aria-pressed=${String(than.includes(value))}
    onClick=${() => onChange(than.includes(value) ? than.filter(one => one !== value) : [...than, value])}>${words}</button>`)}</span>`

/** What a value is compared with. */
function Than ({ value, is, than, onChange, bad }) {
  const label = t('rules.than', { value: value.words })
  if (is === 'one_of') return html`<${Several} label=${label} than=${[than].flat()} choices=${value.choices} onChange=${onChange} />`
  if (value.type === 'boolean') return html`<${ChoicePhrase} label=${label} value=${than} choices=${yesNo()} onChange=${onChange} bad=${bad} />`
  if (value.choices.length > 0) return html`<${ChoicePhrase} label=${label} value=${than} choices=${value.choices} onChange=${onChange} bad=${bad} />`
  return value.type === 'number'
    ? html`<${NumberPhrase} label=${label} value=${than} unit=${value.unit} onChange=${onChange} bad=${bad} />`
    : html`<${TextPhrase} label=${label} value=${than} onChange=${onChange} bad=${bad} />`
}

const MISSING = { words: '', type: 'text', unit: '', choices: [], perPrinter: false }

/** All values, as the list to choose from shows them. @param {import('./vocabulary.js').Vocabulary} vocabulary */
export const valueItems = ({ values }) =>
  [...values.values()].map(({ name, words, group }) => ({ id: name, words, group }))

/**
 * The words of a comparison, for a sentence.
 * @param {{ edit: import('./part.js').Edit, path: readonly (string | number)[], part: any, make: (value: any) => any
 *   }} options
 *   `make`: the part for another value
 */
export function comparisonWords ({ edit, path, part, make }) {
  const { vocabulary, problems, set } = edit
  const value = vocabulary.values.get(part.value) ?? { ...MISSING, words: part.value }
  const isBad = name => problemsAt(problems, [...path, name]).length > 0
  const change = is => set(path, { ...part, is, than: is === 'one_of' ? [part.than].flat() : [part.than].flat()[0] ?? '' })
  return {
    value: html`<${PickPhrase} label=${t('rules.value')} words=${value.words} items=${valueItems(vocabulary)} bad=${isBad('value')}
      onPick=${name => set(path, { ...make(vocabulary.values.get(name)), [KEY]: part[KEY] })} />`,
    is: html`<${ChoicePhrase} label=${t('rules.is')} value=${part.is} onChange=${change} bad=${isBad('is')}
      choices=${comparisonsOf(value).map(is => ({ value: is, words: isWords(value, is) }))} />`,
    than: html`<${Than} key=${`${part.value} ${part.is}`} value=${value} is=${part.is} than=${part.than} bad=${isBad('than')}
      onChange=${than => set([...path, 'than'], than)} />`
  }
}

/** Whose value is compared: that of the event, or of a printer by name. */
function whose ({ edit, path, part }) {
  const value = edit.vocabulary.values.get(part.value)
  const names = edit.vocabulary.printers
  if (value?.perPrinter !== true || (names.length < 2 && (part.printer ?? 'event') === 'event')) return ''
  const choices = [{ value: 'event', words: t('rules.printer.same') }, ...names.map(name => ({ value: name, words: name }))]
  return html` <${Sentence} text="rules.on.one" parts=${{
    printer: html`<${ChoicePhrase} label=${t('rules.printer')} value=${part.printer ?? 'event'} choices=${choices}
      onChange=${printer => edit.set([...path, 'printer'], printer)} />`
  }} />`
}

/**
 * A fact is a sentence by itself: it holds, or not.
 * @param {any} part
 * @param {import('./vocabulary.js').Vocabulary} vocabulary
 */
export const isFact = (part, vocabulary) => vocabulary.values.get(part.value)?.type === 'boolean' && part.is === 'equal'

const Comparison = props => html`<${Sentence} text=${isFact(props.part, props.edit.vocabulary) ? 'rules.if.fact' : 'rules.if.value'} parts=${{ ...comparisonWords({ ...props, make: of => newCondition('value', of) }), whose: whose(props) }} />`

const Hours = ({ edit, path, part: { hours } }) => html`<${Sentence} text="rules.if.hours" parts=${{
  from: html`<${ClockPhrase} label=${t('rules.hours.from')} value=${hours.from} onChange=${from => edit.set([...path, 'hours', 'from'], from)} />`,
  to: html`<${ClockPhrase} label=${t('rules.hours.to')} value=${hours.to} onChange=${to => edit.set([...path, 'hours', 'to'], to)} />`,
  days: html`<${DaysPhrase} days=${hours.days ?? []} onChange=${days => { if (days.length > 0) edit.set([...path, 'hours', 'days'], days) }} />`
}} />`

/** What can be added to a list of conditions. */
const conditionItems = (vocabulary, isInner) => [
  { id: 'hours', words: t('rules.new.hours'), group: 'time' },
  ...valueItems(vocabulary).map(item => ({ ...item, id: `value ${item.id}` })),
  ...isInner ? [] : [{ id: 'any', words: t('rules.new.any'), group: 'any' }]
]

/** @param {string} id of an item above @param {import('./vocabulary.js').Vocabulary} vocabulary */
function conditionOf (id, vocabulary) {
  const [kind, name = ''] = id.split(' ')
  return newCondition(kind, vocabulary.values.get(name), ownZone())
}

/** A condition, its opposite, or a group: of which one must hold. */
function Condition ({ edit, path, part }) {
  if (part.not) return html`<span class="word">${t('rules.not')}</span> <${Condition} edit=${edit} path=${[...path, 'not']} part=${part.not} />`
  if (part.hours) return html`<${Hours} edit=${edit} path=${path} part=${part} />`
  if (part.any) return html`${t('rules.if.any')}<${Conditions} edit=${edit} path=${[...path, 'any']} word="rules.or" add="rules.add.or" isInner />`
  return html`<${Comparison} edit=${edit} path=${path} part=${part} />`
}

/** What the buttons of a condition call it. */
export function conditionName (part, vocabulary) {
  if (part.not) return conditionName(part.not, vocabulary)
  if (part.hours) return t('rules.new.hours')
  return part.any ? t('rules.new.any') : vocabulary.values.get(part.value)?.words ?? part.value
}

/**
 * @param {{ edit: import('./part.js').Edit, path: readonly (string | number)[], word?: string, add?: string,
 *   isInner?: boolean }} props
 *   `word`: what joins them
 */
export function Conditions ({ edit, path, word = 'rules.and', add = 'rules.add.if', isInner = false }) {
  const conditions = path.reduce((part, name) => part[name], edit.rule)
  return html`<div class=${`parts${isInner ? ' inner' : ''}`}><ul>${conditions.map((part, at) => html`<${Part} key=${part[KEY]} edit=${edit} path=${[...path, at]}
      part=${part} word=${at === 0 ? '' : t(word)} count=${conditions.length} name=${conditionName(part, edit.vocabulary)} icon=${isInner ? undefined : ICONS[part.hours ? 'hours' : 'value']}>
      <${Condition} edit=${edit} path=${[...path, at]} part=${part} /><//>`)}</ul>
    <${AddPart} words=${t(textOr(add, '') === '' || conditions.length > 0 ? add : `${add}.first`)} title=${t('rules.choose.if')}
      items=${conditionItems(edit.vocabulary, isInner)} onPick=${id => edit.append(path, conditionOf(id, edit.vocabulary))} /></div>`
}
