// The places that messages are sent to, each with its state and a test.

import { useState } from 'preact/hooks'
import { call, dateTime, t } from 'shell'
import { Dialog } from './dialog.js'
import { alertName, html, kindName, KindIcon, problemWords } from './lib.js'

/** @param {{ problem: string | null, accepted_at: number | null }} target */
function Badge ({ problem, accepted_at: at }) {
  if (problem !== null) return html`<span class="badge bad">${t('messages.fails')}</span>`
  return at === null
    ? html`<span class="badge">${t('messages.new')}</span>`
    : html`<span class="badge good">${t('messages.works')}</span>`
}

const eventsOf = ({ alerts }) => alerts.length === 0 ? t('messages.what.none') : alerts.map(alertName).join(', ')

/** @param {{ target: any }} options */
function Lines ({ target }) {
  const { name, type, origin, address, owner, waiting, problem, accepted_at: at } = target
  const kind = type === 'push' && owner !== null ? t('messages.device.of', { name: owner }) : kindName(type)
  const where = [kind, ...address === type ? [] : [address], ...origin === 'file' ? [t('messages.file')] : []]
  const state = [at === null ? t('messages.never') : t('messages.accepted', { time: dateTime(at) }),
    ...waiting > 0 ? [t('messages.waiting', { count: waiting })] : []]
  return html`<div class="row-main"><b>${name}</b><small>${where.join(' · ')}</small>
    <small>${eventsOf(target)}</small>
    <small>${state.join(' · ')}</small>
    ${problem !== null && html`<small class="problem">${problemWords(problem)}</small>`}</div>`
}

/** @param {{ target: any, isOwn?: boolean, onClose: () => void, onDone: () => unknown }} options */
export function RemoveDialog ({ target: { name }, isOwn = false, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const remove = async () => {
    try {
      await call('DELETE', isOwn ? 'messages/push' : 'messages/targets', { name })
      onClose()
      await onDone()
    } catch (error) {
      setProblem(t('messages.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  return html`<${Dialog} title=${t('messages.remove.of', { name })} onClose=${onClose}>
    <p>${t('messages.remove.text')}</p>
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('messages.cancel')}</button>
      <button type="button" class="danger" onClick=${remove}>${t('messages.remove')}</button></div>
  <//>`
}

/** @param {{ target: any, onEdit: () => void, onRemove: () => void, onDone: () => unknown }} options */
export function Place ({ target, onEdit, onRemove, onDone }) {
  const { name, type, origin } = target
  const [outcome, setOutcome] = useState(/** @type {{ text: string, tone: string } | null} */ (null))
  const test = async () => {
    setOutcome({ text: t('messages.testing'), tone: '' })
    try {
      await call('POST', 'messages/test', { target: name })
      setOutcome({ text: t('messages.tested'), tone: 'good' })
    } catch (error) {
      setOutcome({ text: t('messages.failed', { reason: problemWords(/** @type {Error} */ (error).message) }), tone: 'bad' })
    }
    await onDone()
  }
  const button = (key, onClick) => html`<button type="button" class="small" aria-label=${t(`messages.${key}.of`, { name })}
    onClick=${onClick}>${t(`messages.${key}`)}</button>`
  return html`<li class="row"><${KindIcon} type=${type} /><${Lines} target=${target} />
    <div class="row-end"><${Badge} ...${target} />${button('test', test)}
      ${origin === 'stored' && html`${button('edit', onEdit)}
        <button type="button" class="small quiet" aria-label=${t('messages.remove.of', { name })} onClick=${onRemove}>${t('messages.remove')}</button>`}</div>
    ${outcome && html`<p class=${`note ${outcome.tone}`} role="status">${outcome.text}</p>`}</li>`
}
