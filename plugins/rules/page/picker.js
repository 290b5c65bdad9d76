// Choosing from a long list: by typing, in groups by what things are about, with the keyboard alone.

import { t } from 'shell'
import { Dialog, Drawn, html, textOr, useRef, useState } from './lib.js'

/** @typedef {{ id: string, words: string, group: string, hint?: string }} Choosable */

const GROUP_ICONS = {
  any: 'rules',
  climate: 'tool',
  bed: 'tool',
  chamber: 'tool',
  nozzle: 'tool',
  door: 'door',
  drying: 'drop',
  energy: 'power',
  hours: 'clock',
  message: 'message',
  mqtt: 'link',
  plug: 'power',
  power: 'power',
  spool: 'note',
  sun: 'clock',
  time: 'clock',
  wait: 'clock',
  webhook: 'link'
}

const groupWords = group => textOr(`rules.group.${group}`, group)

/** Those whose words or group have all that was typed. @param {readonly Choosable[]} items @param {string} text */
function found (items, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return items.filter(item => words.every(word =>
    `${item.words} ${groupWords(item.group)} ${item.hint ?? ''}`.toLowerCase().includes(word)))
}

const byWords = (a, b) => a.words.localeCompare(b.words)

/** @param {readonly Choosable[]} items in order; within a group by their words @returns {[string, Choosable[]][]} */
function grouped (items) {
  const groups = new Map()
  for (const item of [...items].sort(byWords)) {
    const group = groupWords(item.group)
    groups.set(group, [...groups.get(group) ?? [], item])
  }
  const first = items.map(({ group }) => groupWords(group))
  return [...groups].sort(([a], [b]) => first.indexOf(a) - first.indexOf(b))
}

/** Moves the focus between the choices and the search above them. */
function walk (event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const places = [...event.currentTarget.querySelectorAll('input[type=search], .choices button')]
  places[places.indexOf(document.activeElement) + step]?.focus()
}

/**
 * @param {{ title: string, items: readonly Choosable[], onPick: (id: string) => void, onClose: () => void }} props
 */
export function Picker ({ title, items, onPick, onClose }) {
  const [text, setText] = useState('')
  const shown = found(items, text)
  const list = useRef(/** @type {any} */ (null))
  const takeFirst = event => {
    event.preventDefault()
    list.current?.querySelector('button')?.click()
  }
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form class="picker" onSubmit=${takeFirst} onKeyDown=${walk}>
      <input type="search" autofocus aria-label=${t('rules.search')} placeholder=${t('rules.search')} value=${text}
        onInput=${({ target }) => setText(target.value)} />
      <p class="hidden" role="status">${t('rules.found', { count: shown.length })}</p>
      <div class="choices" ref=${list}>${grouped(shown).map(([group, some]) => html`<section key=${group} aria-label=${group}>
        <h3><${Drawn} name=${GROUP_ICONS[some[0].group]} />${group}</h3>
        <ul>${some.map(({ id, words, hint }) => html`<li key=${id}><button type="button" onClick=${() => onPick(id)}>
          <b>${words}</b>${hint && html`<small>${hint}</small>`}</button></li>`)}</ul></section>`)}
        ${shown.length === 0 && html`<p class="faint">${t('rules.found.none')}</p>`}</div>
    </form>
  <//>`
}

/**
 * A phrase that opens a list.
 * @param {{ label: string, words: string, items: readonly Choosable[], onPick: (id: string) => void, bad?: boolean
 *   }} props
 */
export function PickPhrase ({ label, words, items, onPick, bad = false }) {
  const [isOpen, setOpen] = useState(false)
  return html`<button type="button" class=${`phrase${bad ? ' bad' : ''}`} aria-haspopup="dialog" aria-label=${`${label}: ${words}`}
      onClick=${() => setOpen(true)}>${words}</button>
    ${isOpen && html`<${Picker} title=${label} items=${items} onClose=${() => setOpen(false)}
      onPick=${id => { setOpen(false); onPick(id) }} />`}`
}

/**
 * The button below a list of parts, which adds one.
 * @param {{ words: string, title: string, items: readonly Choosable[], onPick: (id: string) => void, isQuiet?:
 *   boolean }} props
 */
export function AddPart ({ words, title, items, onPick, isQuiet = true }) {
  const [isOpen, setOpen] = useState(false)
  return html`<button type="button" class=${`add small${isQuiet ? ' quiet' : ''}`} aria-haspopup="dialog" onClick=${() => setOpen(true)}>
      <${Drawn} name="add" />${words}</button>
    ${isOpen && html`<${Picker} title=${title} items=${items} onClose=${() => setOpen(false)}
      onPick=${id => { setOpen(false); onPick(id) }} />`}`
}
