// The inputs of an operation as words of a sentence, made from the description of its input.

import { t } from 'shell'
import { html } from './lib.js'
import { ChoicePhrase, NumberPhrase, TextPhrase } from './phrase.js'
import { initial, problemsAt, valueAt, yesNoKey } from './rule.js'

const yesNo = name => ['yes', 'no'].map(word => ({ value: word === 'yes', words: t(`${yesNoKey(name)}.${word}`) }))
const LINES = { list: ', ', json: '' }

/** A list is typed with commas, anything else that is not plain as JSON. @param {string} type @param {any} value */
const typed = (type, value) => type === 'list' ? [value].flat().join(LINES.list) : typeof value === 'string' ? value : JSON.stringify(value)

/** @param {string} type @param {string} text @param {any} before of the same list */
function parsed (type, text, before) {
  if (type === 'list') {
    const parts = text.split(',').map(part => part.trim()).filter(Boolean)
    return parts.every(part => /^-?\d{1,9}$/.test(part)) && typeof before?.[0] !== 'string' ? parts.map(Number) : parts
  }
  if (type !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text // the service says what is wrong with it
  }
}

/** Fields of the event that an input may take. @param {any} input @param {readonly any[]} fields */
const fitting = ({ type }, fields) => fields.filter(field =>
  ({ number: ['number', 'integer'], integer: ['number', 'integer'], boolean: ['boolean'] }[type] ?? ['text', 'string']).includes(field.type))

/** The control for a value. */
function Value ({ input, value, onChange, bad }) {
  const { name, type, words, unit, minimum, maximum, choices, longest } = input
  if (type === 'boolean') return html`<${ChoicePhrase} label=${words} value=${value} choices=${yesNo(name)} onChange=${onChange} bad=${bad} />`
  if (type === 'choice') return html`<${ChoicePhrase} label=${words} value=${value} choices=${choices} onChange=${onChange} bad=${bad} />`
  if (type === 'number' || type === 'integer') {
    return html`<${NumberPhrase} label=${words} value=${value} unit=${unit} minimum=${minimum} maximum=${maximum} isWhole=${type === 'integer'}
      onChange=${onChange} bad=${bad} />`
  }
  return html`<${TextPhrase} label=${words} value=${typed(type, value)} longest=${longest} bad=${bad}
    onChange=${text => onChange(parsed(type, text, value))} />`
}

const EVENT = /^event\.(.+)$/

/** What is known of an input that the operation does not describe. */
const unknownInput = name => ({ name, path: [name], words: name, type: 'json', unit: '', choices: [], required: false, hint: '' })

function Input ({ edit, path, input, value }) {
  const { words, required } = input
  const at = [...path, 'input', ...input.path]
  const bad = problemsAt(edit.problems, at).length > 0
  const offered = fitting(input, edit.fields)
  const from = EVENT.exec(value?.from ?? '')?.[1]
  const sources = [{ value: '', words: t('rules.from.own') }, ...offered.map(field => ({ value: field.name, words: t('rules.from.event', { field: field.words || t(`rules.field.${field.name}`) }) }))]
  return html`<span class="pair" title=${input.hint}>${words}${' '}
    ${from === undefined && html`<${Value} input=${input} value=${value} bad=${bad} onChange=${next => edit.set(at, next)} />`}
    ${(offered.length > 0 || from !== undefined) && html` <${ChoicePhrase} look=${from === undefined ? 'source' : ''} label=${t('rules.from', { input: words })} value=${from ?? ''} bad=${bad && from !== undefined}
      choices=${sources} onChange=${field => edit.set(at, field === '' ? initial(input) : { from: `event.${field}` })} />`}
    ${!required && html`<button type="button" class="drop" aria-label=${t('rules.remove.part', { part: words })}
      onClick=${() => edit.set(at, undefined)}>×</button>`}</span>`
}

/** A detail that may be left out is added from this list. */
function More ({ edit, path, inputs }) {
  if (inputs.length === 0) return ''
  const add = ({ target }) => {
    const input = inputs[target.selectedIndex - 1]
    target.selectedIndex = 0
    edit.set([...path, 'input', ...input.path], initial(input))
  }
  return html`<select class="phrase more" aria-label=${t('rules.more')} onChange=${add}><option selected>${t('rules.more')}</option>
    ${inputs.map(({ name, words }) => html`<option key=${name}>${words}</option>`)}</select>`
}

/**
 * @param {{ edit: import('./part.js').Edit, path: readonly (string | number)[], part: any,
 *   operation: import('./vocabulary.js').RuleOperation }} props
 */
export function Inputs ({ edit, path, part, operation }) {
  const given = part.input ?? {}
  const known = new Set(operation.inputs.map(({ path: [first] }) => first))
  const plain = operation.inputs.filter(({ type }) => type !== 'object')
  const isShown = input => input.required || valueAt(given, input.path) !== undefined
  const shown = [...plain.filter(isShown), ...Object.keys(given).filter(name => !known.has(name)).map(unknownInput)]
  return html`${shown.map(input => {
    const value = valueAt(given, input.path)
    return html` <${Input} key=${`${input.path.join('.')} ${typeof value}`} edit=${edit} path=${path} input=${input} value=${value} />`
  })} <${More} edit=${edit} path=${path} inputs=${plain.filter(input => !isShown(input))} />`
}
