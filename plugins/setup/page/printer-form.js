// The form for the data of a printer, new or configured.

import { useRef, useState } from 'preact/hooks'
import { call, modelName, t } from 'shell'
import { Dialog, html } from 'components'
import { failureOf, isStoredOffline } from './problems.js'
import { Screen } from './screen.js'

/** The service waits 15 s for a printer; some add the time of a lookup. */
const WAIT_MS = 60_000
const NONE = { field: '', text: '', problem: '' }
/** An address with the MQTT port of a printer behind a forwarded port. */
const WITH_PORT = /^([^:\s]+):(\d{1,5})$/

/** @param {string} text @returns {{ host: string, mqtt_port?: number }} */
function placeIn (text) {
  const [, host, port] = WITH_PORT.exec(text.trim()) ?? []
  return host === undefined ? { host: text.trim() } : { host, mqtt_port: Number(port) }
}

/** @param {{ name: string, failure: typeof NONE, hint?: string, onSee: (field: string) => void, input: any }} options
 */
function Field ({ name, failure, hint = '', onSee, input }) {
  const isBad = failure.field === name
  return html`<label class=${isBad ? 'field bad' : 'field'}><span>${t(`printers.field.${name}`)}</span>
    <input name=${name} autocomplete="off" spellcheck=${false} autocapitalize="off" aria-invalid=${isBad}
      aria-describedby=${`${name}-note`} onFocus=${() => onSee(name)} ...${input} />
    <small id=${`${name}-note`} class=${isBad ? 'problem' : 'hint'} role=${isBad ? 'alert' : undefined}>${isBad ? failure.text : hint}</small>
  </label>`
}

/** What a test found. @param {{ model: string, developer_mode: string }} found */
const Verdict = ({ model, developer_mode: developerMode }) => developerMode === 'off'
  ? html`<p class="note warn" role="status">${t('printers.tried.watch', { model: modelName(model) })}</p>`
  : html`<p class="note good" role="status">${t('printers.tried.good', { model: modelName(model) })}</p>`

/** Sends the form, and shows the failure beside its field. */
function useSending () {
  const [failure, setFailure] = useState(NONE)
  const [runs, setRuns] = useState(false)
  const form = useRef(/** @type {any} */ (null))
  /** @param {() => Promise<unknown>} work */
  const send = async work => {
    if (runs) return
    setRuns(true)
    setFailure(NONE)
    try {
      await work()
    } catch (error) {
      const found = failureOf(error)
      setFailure(found)
      const input = form.current?.elements[found.field]
      input?.focus()
      input?.select()
    }
    setRuns(false)
  }
  return { failure, runs, form, send }
}

/** What an address proposes for the form. */
const UNASKED = { host: '', serial: '', name: '', model: '' }

/** @param {string} host @param {any} printer */
function proposalOf (host, { serial, name, model, model_decoded: decoded }) {
  const shown = decoded === 'UNKNOWN' ? name || model || serial : modelName(decoded)
  return { host, serial, name: name || shown, model: shown }
}

/**
 * Asks the typed address which printer is there, and fills in what nobody has typed. Nothing proves what it says.
 *
 * @param {{ current: any }} form
 */
function useProposal (form) {
  const [proposal, setProposal] = useState(UNASKED)
  const ask = async () => {
    const { host, serial, name } = form.current.elements
    const asked = host.value.trim()
    const isOpen = () => form.current !== null && host.value.trim() === asked && serial.value === proposal.serial
    if (asked === proposal.host || WITH_PORT.test(asked) || !isOpen()) return
    const { printer } = asked === ''
      ? { printer: null }
      : await call('POST', 'setup/printers/detect', { host: asked }).catch(() => ({ printer: null }))
    if (!isOpen()) return
    const next = printer === null ? { ...UNASKED, host: asked } : proposalOf(asked, printer)
    if (name.value === proposal.name) name.value = next.name
    serial.value = next.serial
    setProposal(next)
  }
  return { ask, model: proposal.model }
}

/** @param {any} form @returns {any} */
const valuesOf = form => Object.fromEntries(['host', 'serial', 'access_code', 'name']
  .map(field => [field, form.elements[field]?.value.trim() ?? '']))

/**
 * @param {{ found?: any, onClose: () => void, onDone: (name: string, isOffline: boolean) => void }} options
 *   found: a printer that announced itself; without an address if several say that they are it
 */
export function AddPrinter ({ found, onClose, onDone }) {
  const [shows, setShows] = useState(found?.ip ? 'access_code' : 'host')
  const [verdict, setVerdict] = useState(/** @type {any} */ (null))
  const { failure, runs, form, send } = useSending()
  const { ask, model } = useProposal(form)
  const data = () => {
    const { host, name, ...others } = valuesOf(form.current)
    return { ...placeIn(host), ...others, name: name || t('printers.name.usual') }
  }
  const test = () => send(async () => {
    setVerdict(null)
    setVerdict(await call('POST', 'setup/printers/try', data(), { waitMs: WAIT_MS }))
  })
  /** @param {boolean} offline */
  const add = offline => send(async () => {
    const given = data()
    setVerdict(null)
    let isOffline = false
    await call('POST', 'setup/printers', { ...given, offline }, { waitMs: WAIT_MS }).catch(error => {
      if (!isStoredOffline(error)) throw error
      isOffline = true
    })
    onDone(given.name, isOffline)
  })
  const submit = event => {
    event.preventDefault()
    void add(false)
  }
  const given = { failure, onSee: setShows }
  const serialHint = model === '' ? t('printers.hint.serial') : t('printers.hint.detected', { model })
  return html`<${Dialog} wide title=${t('printers.add')} onClose=${onClose}>
    <form ref=${form} class="printer-form" noValidate onSubmit=${submit}>
      <div class="inputs">
        <${Field} name="host" ...${given} hint=${t('printers.hint.host')} input=${{
          defaultValue: found?.ip ?? '', autofocus: !found?.ip, maxlength: 260, onBlur: ask
        }} />
        <${Field} name="serial" ...${given} hint=${serialHint} input=${{ defaultValue: found?.serial ?? '', maxlength: 40 }} />
        <${Field} name="access_code" ...${given} hint=${t('printers.hint.access_code')} input=${{ autofocus: Boolean(found?.ip), maxlength: 64 }} />
        <${Field} name="name" ...${given} hint=${t('printers.hint.name')}
          input=${{ defaultValue: found?.name || modelName(found?.model_decoded ?? ''), placeholder: t('printers.name.usual'), maxlength: 64 }} />
      </div>
      <div class="where"><${Screen} shows=${shows === 'name' ? 'access_code' : shows} />
        <p>${t(`printers.where.${shows === 'name' ? 'access_code' : shows}`)}</p></div>
      ${verdict && html`<${Verdict} ...${verdict} />`}
      <${Foot} ...${{ failure, runs, onClose }}>
        ${failure.problem === 'unreachable' && html`<button type="button" disabled=${runs} onClick=${() => add(true)}>${t('printers.add.anyway')}</button>`}
        <button type="button" disabled=${runs} onClick=${test}>${t('printers.test')}</button>
        <button class="primary" disabled=${runs}>${t('printers.add')}</button>
      <//>
    </form>
  <//>`
}

/** @param {{ failure: typeof NONE, runs: boolean, onClose: () => void, children?: any }} options */
const Foot = ({ failure, runs, onClose, children }) => html`
  ${failure.field === '' && failure.text !== '' && html`<p class="note bad" role="alert">${failure.text}</p>`}
  <div class="buttons end">
    <span class="faint" role="status">${runs ? t('printers.asking') : ''}</span><span class="space"></span>
    <button type="button" class="quiet" onClick=${onClose}>${t('printers.cancel')}</button>
    ${children}
  </div>`

/** @param {{ printer: any, onClose: () => void, onDone: (name: string, isOffline: boolean) => void }} options */
export function EditPrinter ({ printer, onClose, onDone }) {
  const [shows, setShows] = useState('access_code')
  const [name, setName] = useState(printer.name)
  const { failure, runs, form, send } = useSending()
  /** @param {boolean} offline */
  const save = offline => send(async () => {
    const { host, access_code: code, name: newName } = valuesOf(form.current)
    const isMoved = host !== printer.host
    let isOffline = false
    if (isMoved || code !== '') {
      const change = { ...(isMoved && placeIn(host)), access_code: code || undefined, name: printer.name, offline }
      await call('PATCH', 'setup/printers', change, { waitMs: WAIT_MS }).catch(error => {
        if (!isStoredOffline(error)) throw error
        isOffline = true
      })
    }
    if (newName !== printer.name) await call('POST', 'setup/printers/rename', { name: printer.name, new_name: newName })
    onDone(newName, isOffline)
  })
  const submit = event => {
    event.preventDefault()
    void save(false)
  }
  const given = { failure, onSee: setShows }
  const nameHint = name.trim() === printer.name ? '' : t('printers.hint.rename')
  return html`<${Dialog} wide title=${t('printers.edit.of', { name: printer.name })} onClose=${onClose}>
    <form ref=${form} class="printer-form" noValidate onSubmit=${submit}>
      <div class="inputs">
        <${Field} name="name" ...${given} hint=${nameHint}
          input=${{ defaultValue: printer.name, maxlength: 64, onInput: event => setName(event.target.value) }} />
        <${Field} name="host" ...${given} hint=${t('printers.hint.host')} input=${{ defaultValue: printer.host, maxlength: 260 }} />
        <${Field} name="access_code" ...${given} hint=${t('printers.hint.access_code.edit')} input=${{ maxlength: 64, placeholder: t('printers.unchanged') }} />
        <p class="faint">${t('printers.serial.fixed', { serial: printer.serial })}</p>
      </div>
      <div class="where"><${Screen} shows=${shows === 'name' ? 'access_code' : shows} />
        <p>${t(`printers.where.${shows === 'name' ? 'access_code' : shows}`)}</p></div>
      <${Foot} ...${{ failure, runs, onClose }}>
        ${failure.problem === 'unreachable' && html`<button type="button" disabled=${runs} onClick=${() => save(true)}>${t('printers.save.anyway')}</button>`}
        <button class="primary" disabled=${runs}>${t('printers.save')}</button>
      <//>
    </form>
  <//>`
}
