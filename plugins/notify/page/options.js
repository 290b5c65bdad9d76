// The options of a kind of target: fields, made from its description, and their values.

import { hasText, t } from 'shell'
import { html } from './lib.js'

/**
 * @typedef {{ name: string, control: string, secret: boolean, required: boolean, hint: string, initial?: string,
 *   choices?: string[], pattern?: string, minimum?: number, maximum?: number }} Option
 */

/** What most people fill in, although it may be left out. */
const USUAL = new Set(['user', 'username', 'password'])

/** @param {Option} option */
export const isUsual = ({ name, required }) => required || USUAL.has(name)

const capital = text => `${text.slice(0, 1).toUpperCase()}${text.slice(1).replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}`

/** How placeholders are written: texts of pages have single braces. */
const PLACEHOLDERS = Object.fromEntries(['alert', 'printer', 'text', 'title', 'payload'].map(name =>
  [name, `{{${name}${name === 'payload' ? '.NAME' : ''}}}`]))

/** A text of the kind, else of all kinds. */
function textOf (group, type, name, fallback) {
  const key = [`messages.${group}.${type}.${name}`, `messages.${group}.${name}`].find(hasText)
  return key === undefined ? fallback : t(key, PLACEHOLDERS)
}

/** Names without spaces, because the pattern of an address in the browser is stricter than ours. */
const shown = value => {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

/** @param {{ option: Option, id: string, value: any, isSaved: boolean, described: string }} options */
function Control ({ option, id, value, isSaved, described }) {
  const { name, control, required, choices = [], minimum, maximum } = option
  const common = { id, name, 'aria-describedby': described, required: required && !isSaved, autocomplete: 'off' }
  if (control === 'choice') {
    return html`<select ...${common}>${choices.map(choice => html`<option value=${choice} selected=${choice === value}>
      ${hasText(`messages.choice.${choice}`) ? t(`messages.choice.${choice}`) : choice}</option>`)}</select>`
  }
  if (control === 'pairs' || control === 'json') return html`<textarea ...${common} rows="3" defaultValue=${shown(value)}></textarea>`
  if (control === 'number') return html`<input ...${common} type="number" min=${minimum} max=${maximum} defaultValue=${shown(value)} />`
  const type = name === 'password' ? 'password' : 'text'
  return html`<input ...${common} type=${type} maxlength="4096" spellcheck=${false} autocapitalize="none"
    autocomplete=${type === 'password' ? 'new-password' : 'off'} defaultValue=${shown(value)} />`
}

/**
 * @param {{ type: string, option: Option, value: any, isSaved: boolean, problem: string }} options `isSaved`: a secret
 *   that the service has and does not show
 */
export function OptionField ({ type, option, value, isSaved, problem }) {
  const { name, hint } = option
  const id = `option-${name}`
  const help = isSaved ? t('messages.saved') : textOf('hint', type, name, hasText(`messages.kind.${type}`) ? '' : hint)
  return html`<label class=${problem === '' ? 'field' : 'field bad'} for=${id}>
    <span>${textOf('option', type, name, capital(name))}</span>
    <${Control} ...${{ option, id, value: value ?? option.initial, isSaved, described: `${id}-help` }} />
    <span id=${`${id}-help`}>${problem !== '' && html`<small class="problem" role="alert">${problem}</small>`}
      ${help !== '' && html`<small class="hint">${help}</small>`}</span>
  </label>`
}

/** A value that cannot be read; `option` is its name. */
export class BadOption extends Error {
  /** @param {string} option @param {string} reason */
  constructor (option, reason) {
    super(reason)
    this.option = option
  }
}

function pairsIn (name, text) {
  const lines = text.split('\n').map(line => line.trim()).filter(line => line !== '')
  return Object.fromEntries(lines.map(line => {
    const [, key, value] = /^([\w-]+)\s*:\s*(.+)$/.exec(line) ?? []
    if (key === undefined) throw new BadOption(name, t('messages.pairs'))
    return [key, value]
  }))
}

function valueIn ({ name, control }, text) {
  if (control === 'number') return Number(text)
  if (control === 'list') return text.split(/[\s,;]+/).filter(part => part !== '')
  if (control === 'pairs') return pairsIn(name, text)
  if (control !== 'json') return text.trim()
  try {
    return JSON.parse(text)
  } catch {
    throw new BadOption(name, t('messages.json'))
  }
}

/** Empty fields are left out. @param {Option[]} options @param {FormData} form @throws {BadOption} */
export const optionsIn = (options, form) => Object.fromEntries(options.flatMap(option => {
  const text = String(form.get(option.name) ?? '')
  return text.trim() === '' ? [] : [[option.name, valueIn(option, text)]]
}))

/** The option that a refusal is about, and what to do. @param {Option[]} options @param {string} reason */
export function optionProblem (options, reason) {
  const name = /^(\w+)\b/.exec(reason)?.[1] ?? ''
  if (!options.some(option => option.name === name)) return undefined
  if (reason.includes('must be given again')) return { option: name, text: t('messages.again') }
  if (reason.includes('must match pattern')) return { option: name, text: t('messages.unfit') }
  return { option: name, text: t('messages.wrong', { reason: reason.slice(name.length).trim() }) }
}
