// What is being fetched or installed, and how it ended.

import { t } from 'shell'
import { sizeText } from '../../shell/page/format.js'
import { html } from 'components'

const TONES = { done: 'good', failed: 'bad', cancelled: '' }

function textOf ({ kind, name, step, bytes, total, problem }) {
  const called = name ?? t('monitor.networks')
  if (step === 'installing') return t('monitor.task.runtime')
  if (step === 'checking') return t('monitor.task.checking', { name: called })
  if (step === 'done') return t(`monitor.task.done.${kind}`, { name: called })
  if (step === 'failed') return t('monitor.failed', { reason: problem ?? '' })
  if (step === 'cancelled') return t('monitor.task.cancelled')
  if (total === null) return t('monitor.task.reading', { name: called })
  return t('monitor.task.fetching', { name: called, done: sizeText(bytes ?? 0), total: sizeText(total) })
}

/** @param {{ task: any, mayChange: boolean, onCancel: () => void }} options */
export function Progress ({ task, mayChange, onCancel }) {
  if (task === null) return null
  const tone = TONES[task.step]
  if (tone !== undefined) return html`<p class="note ${tone}" role="status">${textOf(task)}</p>`
  const share = task.step === 'fetching' && task.total !== null ? { value: task.bytes ?? 0, max: task.total } : {}
  return html`<section class="card" role="status">
    <div class="setting"><span>${textOf(task)}</span>
      ${mayChange && html`<button class="small" onClick=${onCancel}>${t('monitor.cancel')}</button>`}</div>
    <progress aria-label=${textOf(task)} ...${share}></progress></section>`
}

export const isRunning = task => task !== null && TONES[task.step] === undefined
