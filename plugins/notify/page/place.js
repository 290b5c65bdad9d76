// Adding and editing a place: its kind, its options, a test, and what it gets.

import { useRef, useState } from 'preact/hooks'
import { call, hasText, t } from 'shell'
import { Dialog } from './dialog.js'
import { html, kindName, KindIcon, problemWords } from './lib.js'
import { BadOption, isUsual, OptionField, optionProblem, optionsIn } from './options.js'
import { RuleFields, ruleIn } from './rule.js'

/** Kinds that most people look for; those of plugins come last. */
const ORDER = ['ntfy', 'telegram', 'email', 'discord', 'slack', 'pushover', 'webhook', 'mqtt']
const rank = type => ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length

const ID_BYTES = 9

/** A topic of ntfy that nobody can guess. */
const newTopic = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES))
  return `prnd-${[...bytes].map(byte => byte.toString(36).padStart(2, '0')).join('')}`
}

/** A name that is free: `Telegram`, `Telegram 2`. @param {string} type @param {any[]} targets */
function freeName (type, targets) {
  const base = kindName(type)
  const isTaken = name => targets.some(target => target.name.toLowerCase() === name.toLowerCase())
  for (let count = 1; ; count++) {
    const name = count === 1 ? base : `${base} ${count}`
    if (!isTaken(name)) return name
  }
}

const aboutOf = type => hasText(`messages.about.${type}`) ? t(`messages.about.${type}`) : ''

/** @param {{ kinds: any[], onChoose: (type: string) => void }} options */
export const Kinds = ({ kinds, onChoose }) => html`<ul class="kinds">${kinds
  .filter(({ type }) => type !== 'push').sort((a, b) => rank(a.type) - rank(b.type)).map(({ type }) => html`<li key=${type}>
  <button type="button" onClick=${() => onChoose(type)}><${KindIcon} type=${type} />
    <span><b>${kindName(type)}</b><small>${aboutOf(type)}</small></span></button></li>`)}</ul>`

/**
 * @param {{ setup: any, type: string, target?: any, isOwn?: boolean, onClose: () => void,
 *   onBack?: () => void, onDone: () => unknown }} options `isOwn`: the device of the user
 */
export function PlaceDialog ({ setup, type, target, isOwn = false, onClose, onBack, onDone }) {
  const kind = setup.kinds.find(each => each.type === type)
  const form = useRef(/** @type {any} */ (null))
  const [topic] = useState(newTopic)
  const [problem, setProblem] = useState(/** @type {{ option?: string, text: string } | null} */ (null))
  const [outcome, setOutcome] = useState('')
  const [busy, setBusy] = useState(false)
  const initial = { alerts: setup.usual, printers: null, attach: kind.picture ? 'picture' : 'none', nights: 'wait' }
  const rule = target?.rule ?? initial

  async function run (work) {
    setBusy(true)
    setProblem(null)
    setOutcome('')
    try {
      await work(new FormData(form.current))
    } catch (error) {
      const { message } = /** @type {Error} */ (error)
      setProblem(error instanceof BadOption
        ? { option: error.option, text: message }
        : optionProblem(kind.fields, message) ?? { text: t('messages.failed', { reason: problemWords(message) }) })
    }
    setBusy(false)
  }
  const changeIn = data => ({
    name: target?.name ?? String(data.get('place-name')).trim(), options: optionsIn(kind.fields, data)
  })
  const test = () => {
    if (!form.current.reportValidity()) return
    return run(async data => {
      setOutcome(t('messages.testing'))
      const sent = isOwn
        ? call('POST', 'messages/push/test', { name: target.name })
        : call('POST', 'messages/targets/test', { ...changeIn(data), type })
      await sent.catch(error => {
        setOutcome('')
        throw error
      })
      setOutcome(t('messages.tested'))
    })
  }
  const save = event => {
    event.preventDefault()
    return run(async data => {
      const change = { ...changeIn(data), rule: ruleIn(data) }
      if (isOwn) await call('PATCH', 'messages/push', { name: target.name, rule: change.rule })
      else await (target ? call('PATCH', 'messages/targets', change) : call('POST', 'messages/targets', { ...change, type }))
      await onDone()
      onClose()
    })
  }
  const field = option => html`<${OptionField} key=${option.name} ...${{ type, option }}
    value=${target?.options[option.name] ?? (!target && type === 'ntfy' && option.name === 'topic' ? topic : undefined)}
    isSaved=${target?.secrets.includes(option.name) ?? false} problem=${problem?.option === option.name ? problem?.text : ''} />`
  const [usual, rare] = [kind.fields.filter(isUsual), kind.fields.filter(option => !isUsual(option))]
  const opensRare = rare.some(({ name }) => name === problem?.option)

  return html`<${Dialog} title=${target ? t('messages.edit.of', { name: target.name }) : kindName(type)} onClose=${onClose}>
    <form class="place" ref=${form} onSubmit=${save}>
      ${!target && html`<label class="field"><span>${t('messages.name')}</span>
        <input name="place-name" required maxlength="40" autocomplete="off" defaultValue=${freeName(type, setup.targets)} /></label>`}
      <div class="fields">${usual.map(field)}</div>
      ${rare.length > 0 && html`<details open=${opensRare}><summary>${t('messages.more')}</summary>
        <div class="fields">${rare.map(field)}</div></details>`}
      <div class="buttons"><button type="button" disabled=${busy} onClick=${test}>${t('messages.test')}</button>
        <span role="status" class="faint">${outcome}</span></div>
      ${problem && problem.option === undefined && html`<p class="note bad" role="alert">${problem.text}</p>`}
      <${RuleFields} rule=${rule} alerts=${setup.alerts} kind=${kind} />
      <div class="buttons end">
        ${onBack && html`<button type="button" class="quiet" onClick=${onBack}>${t('messages.back')}</button>`}
        <button type="button" onClick=${onClose}>${t('messages.cancel')}</button>
        <button class="primary" disabled=${busy}>${t('messages.save')}</button>
      </div>
    </form>
  <//>`
}
