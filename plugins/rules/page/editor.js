// A rule as a sentence whose words are controls, with what it would do beside it.

import { call, shell, t } from 'shell'
import { Conditions } from './conditions.js'
import { Dialog, Drawn, failedText, html, Icon, nearTime, useEffect, useRef, useState } from './lib.js'
import { fieldsOf, KEY, keyed, movedAt, NEW_RULE, toSend, valueAt, withAt, withoutAt } from './rule.js'
import { Steps } from './steps.js'
import { Triggers } from './triggers.js'
import { suggestedName, useCheck } from './use-check.js'

const SHOWN_TIMES = 8
const MOST_NAME = 80
/** Problems that are said where they are. */
const IN_PART = /^(when|if|then)\.\d/

const Clause = ({ name, children }) => html`<section class="clause" aria-labelledby=${`clause-${name}`}>
  <h2 id=${`clause-${name}`}>${t(`rules.clause.${name}`)}</h2>${children}</section>`

/** "Would have run 4 times", with the times and why. */
const Past = ({ past }) => {
  if (past.problem) return html`<p class="faint">${past.problem}</p>`
  const did = past.times.filter(({ would }) => would)
  const others = past.times.length - did.length
  const never = past.times.length === 0 && past.notes.length > 0 ? 'rules.past.unknown' : 'rules.past.never'
  return html`<p><b>${t(past.would_run === 0 ? never : 'rules.past', { count: past.would_run })}</b></p>
    ${past.times.length > 0 && html`<ul class="times">${past.times.slice(0, SHOWN_TIMES).map(({ at, printer, what, would, why }) => html`<li
      key=${`${at} ${printer}`} class=${would ? '' : 'faint'}><${Icon} name=${would ? 'check' : 'close'} /><span><b>${nearTime(at)}</b>
      <small>${[printer, what].filter(Boolean).join(' · ')}${why && `: ${why}`}</small></span></li>`)}</ul>`}
    ${past.times.length > SHOWN_TIMES && html`<small class="faint">${t('rules.past.more', { count: past.times.length - SHOWN_TIMES })}</small>`}
    ${others > 0 && did.length === 0 && html`<small class="faint">${t('rules.past.not', { count: others })}</small>`}
    ${past.notes.map(note => html`<small class="faint" key=${note}>${note}</small>`)}`
}

/** Looked up when somebody asks. */
const Asked = ({ past, onAsk }) => {
  if (past === undefined) return html`<button type="button" onClick=${onAsk}>${t('rules.past.ask')}</button>`
  return past.isLate ? html`<p class="faint">…</p>` : html`<${Past} past=${past} />`
}

/** What the rule does without a person, which has to be accepted. */
function Consequence ({ check, accepted, onAccept, isLate }) {
  if (check.problem !== '') return html`<p class="faint">${check.problem}</p>`
  const wrong = check.errors.length
  if (wrong > 0) {
    return html`<p class="wrong"><${Icon} name="alert" />${t('rules.wrong', { count: wrong })}</p>
      ${check.errors.filter(({ path }) => !IN_PART.test(path)).map(({ path, words }) => html`<p class="faint" key=${path}>${words}</p>`)}`
  }
  return html`<p class="consequence">${check.consequence || '…'}</p>
    ${check.warnings.filter(({ path }) => !path.startsWith('when')).map(({ words }) => html`<p class="note warn" key=${words}>${words}</p>`)}
    <label class="accept"><input type="checkbox" checked=${accepted} disabled=${isLate || check.hash === ''}
      onChange=${({ target }) => onAccept(target.checked)} /><span>${t('rules.accept')}</span></label>`
}

/** The address of a webhook is shown once. */
function Secret ({ path, onClose }) {
  const address = new URL(`${shell.base}${path.replace(/^\//, '')}`, document.baseURI).href
  const [copied, setCopied] = useState(false)
  const copy = async ({ currentTarget }) => {
    currentTarget.closest('dialog').querySelector('input').select()
    await navigator.clipboard?.writeText(address).then(() => setCopied(true), () => {})
  }
  return html`<${Dialog} title=${t('rules.secret')} onClose=${onClose}>
    <div class="picker"><p>${t('rules.secret.text')}</p>
    <input readonly aria-label=${t('rules.secret')} value=${address} />
    <div class="buttons end"><span role="status">${copied ? t('rules.secret.copied') : ''}</span>
      <button type="button" onClick=${copy}>${t('rules.secret.copy')}</button>
      <button type="button" class="primary" onClick=${onClose}>${t('rules.secret.done')}</button></div></div><//>`
}

/** Somebody else has saved the rule meanwhile. */
const Changed = ({ onAgain }) => html`<div class="note warn" role="alert"><p>${t('rules.changed')}</p>
  <button type="button" class="small" onClick=${onAgain}>${t('rules.changed.show')}</button></div>`

const Leave = ({ onLeave, onClose }) => html`<${Dialog} title=${t('rules.leave')} onClose=${onClose}>
  <p>${t('rules.leave.text')}</p><div class="buttons end"><button type="button" onClick=${onClose}>${t('rules.leave.no')}</button>
    <button type="button" class="danger" onClick=${onLeave}>${t('rules.leave.yes')}</button></div><//>`

/** The rule while it is edited, and how its parts are changed. */
function useEdit (given, vocabulary) {
  const [rule, setRule] = useState(() => keyed({ ...NEW_RULE, ...given }))
  const wanted = useRef(/** @type {number | undefined} */ (undefined))
  const append = (path, part) => {
    wanted.current = part[KEY]
    setRule(known => withAt(known, path, [...valueAt(known, path), part]))
  }
  return {
    rule,
    vocabulary,
    wanted,
    append,
    fields: fieldsOf(rule, vocabulary),
    set: (path, value) => setRule(known => withAt(known, path, value)),
    remove: path => setRule(known => withoutAt(known, path)),
    move: (path, by) => setRule(known => movedAt(known, path, by))
  }
}

/** Asks before changes are lost, in the page and by the browser. */
function useLeave (isChanged, onLeave) {
  const [asks, setAsks] = useState(false)
  const leave = () => isChanged ? setAsks(true) : onLeave()
  useEffect(() => {
    const warn = event => { if (isChanged) event.preventDefault() }
    const onKey = event => { if (event.key === 'Escape' && document.querySelector('dialog[open]') === null) leave() }
    window.addEventListener('beforeunload', warn)
    window.addEventListener('keydown', onKey)
    return () => {
      window.removeEventListener('beforeunload', warn)
      window.removeEventListener('keydown', onKey)
    }
  }, [isChanged])
  return { leave, question: asks && html`<${Leave} onLeave=${onLeave} onClose=${() => setAsks(false)} />` }
}

/** Saves a rule, or what an agent proposed after it was changed. @returns the path of its webhook, or null */
async function save ({ id, changed_at: read, proposal }, rule, hash) {
  const body = { ...rule, accept_consequence: hash, lang: shell.language }
  const { webhook } = id === undefined ? await call('POST', 'rules', body) : await call('PATCH', 'rules', { ...body, id, changed_at: read })
  if (proposal !== undefined) await call('POST', 'rules/proposals/discard', { id: proposal })
  return webhook
}

/** Saving once; a refusal is said, and the rule stays as it was typed. */
function useSave (of, onDone) {
  const [runs, setRuns] = useState(false)
  const [problem, setProblem] = useState('')
  const [secret, setSecret] = useState('')
  const send = async (rule, hash) => {
    if (runs) return
    setRuns(true)
    setProblem('')
    try {
      const webhook = await save(of, rule, hash)
      if (webhook) setSecret(webhook)
      else onDone()
    } catch (error) {
      setProblem(failedText(/** @type {Error} */ (error)))
    }
    setRuns(false)
  }
  return { runs, problem, send, dialog: secret !== '' && html`<${Secret} path=${secret} onClose=${onDone} />` }
}

const Name = ({ edit, suggestion }) => html`<label class="name"><span class="hidden">${t('rules.name')}</span>
  <input maxlength=${MOST_NAME} placeholder=${suggestion || t('rules.name')} defaultValue=${edit.rule.name}
    onInput=${({ target }) => edit.set(['name'], target.value)} /></label>`

const Limit = ({ edit }) => html`<details><summary>${t('rules.limits')}</summary>
  <label class="setting"><span>${t('rules.most')}</span><input type="number" min="1" max="60" defaultValue=${edit.rule.most_per_hour}
    onInput=${({ target }) => { if (target.value !== '') edit.set(['most_per_hour'], Number(target.value)) }} /></label>
  <p class="faint">${t('rules.most.hint')}</p></details>`

/**
 * @param {{ rule: any, vocabulary: import('./vocabulary.js').Vocabulary, onLeave: () => void, onDone: () => void,
 *   onAgain: () => void }} props
 *   `rule`: with an id it is changed, with the id of a `proposal` that is done with when it was saved; `onAgain` shows
 *   the rule as it is now
 */
export function Editor ({ rule: now, vocabulary, onLeave, onDone, onAgain }) {
  const [given] = useState(now)
  const edit = useEdit(given, vocabulary)
  const suggestion = suggestedName(edit.rule, vocabulary)
  const name = edit.rule.name.trim() || suggestion
  const { check, past, lookUp } = useCheck(edit.rule, name, vocabulary)
  const [acceptedHash, setAccepted] = useState('')
  const first = useRef(JSON.stringify(toSend(edit.rule)))
  const { leave, question } = useLeave(JSON.stringify(toSend(edit.rule)) !== first.current, onLeave)
  const { runs, problem, send, dialog } = useSave(given, onDone)
  const isAccepted = check.hash !== '' && acceptedHash === check.hash
  const isOld = given.changed_at !== now.changed_at
  const isReady = check.ok && isAccepted && !check.isLate && !runs && !isOld
  const submit = event => {
    event.preventDefault()
    if (isReady) void send({ ...toSend(edit.rule), name }, check.hash)
  }
  const parts = { ...edit, problems: check.errors }
  return html`<main class="page rules"><form onSubmit=${submit}>
    <header class="page-head"><button type="button" class="quiet icon-only" aria-label=${t('rules.back')} onClick=${leave}><${Drawn} name="back" /></button>
      <h1>${t(given.id === undefined ? 'rules.new' : 'rules.edit')}</h1></header>
    <div class="editor">
      <section class="card sentence"><${Name} edit=${edit} suggestion=${suggestion} />
        <${Clause} name="when"><${Triggers} edit=${parts} /><//>
        <${Clause} name="if"><${Conditions} edit=${parts} path=${['if']} /><//>
        <${Clause} name="then"><${Steps} edit=${parts} /><//>
        <${Limit} edit=${edit} /></section>
      <div class="beside">
        <section class="card" aria-labelledby="does-title" aria-busy=${String(check.isLate)}><header><h2 id="does-title">${t('rules.does')}</h2></header>
          <div class="said" aria-live="polite"><${Consequence} check=${check} accepted=${isAccepted} isLate=${check.isLate}
            onAccept=${isYes => setAccepted(isYes ? check.hash : '')} /></div>
          ${isOld && html`<${Changed} onAgain=${onAgain} />`}
          <p class="bad" role="alert" hidden=${problem === '' || isOld}>${problem}</p>
          <div class="buttons"><button class="primary" disabled=${!isReady}>${t('rules.save')}</button>
            <button type="button" onClick=${leave}>${t('rules.cancel')}</button></div></section>
        ${check.ok && html`<section class="card" aria-labelledby="past-title"><header><h2 id="past-title">${t('rules.past.title')}</h2></header>
          <div class="said" aria-live="polite"><${Asked} past=${past} onAsk=${lookUp} /></div></section>`}
      </div></div></form>${question}${dialog}</main>`
}
