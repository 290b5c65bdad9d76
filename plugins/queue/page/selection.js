// One action for all chosen jobs.

import { Dialog } from 'components'
import { t } from 'shell'
import { html, useState } from './lib.js'
import { idsOf, updateAll } from './moves.js'

/** Chosen groups and jobs, by their keys. @typedef {Map<string, { group?: any, id?: string, jobs: number }>} Chosen */

/** Ids of all chosen jobs, each once. @param {Chosen} chosen */
async function idsOfAll (chosen) {
  const ids = []
  for (const { group, id } of chosen.values()) ids.push(...(group ? await idsOf(group) : [id]))
  return [...new Set(ids)]
}

async function changeAll (chosen, changes) {
  const problems = await updateAll(await idsOfAll(chosen), changes)
  if (problems.length > 0) throw new Error(t('queue.selected.refused', { count: problems.length, reason: problems[0] }))
}

function Priority ({ count, onSend, onClose }) {
  const send = event => {
    event.preventDefault()
    onSend(Number(new FormData(event.currentTarget).get('priority')))
  }
  return html`<${Dialog} title=${t('queue.selected.priority', { count })} onClose=${onClose}>
    <form class="add" onSubmit=${send}>
      <label class="field"><span>${t('queue.priority')}</span>
        <input type="number" name="priority" min="-100" max="100" defaultValue="0" required autofocus />
        <small class="hint">${t('queue.priority.hint')}</small></label>
      <div class="buttons end"><button type="button" onClick=${onClose}>${t('queue.no')}</button>
        <button class="primary">${t('queue.change')}</button></div>
    </form><//>`
}

/**
 * @param {{ chosen: Chosen, isOpen: boolean, ask: (question: any) => void,
 *   act: (work: () => Promise<unknown>) => Promise<void>, onClear: () => void }} props
 */
export function Selection ({ chosen, isOpen, ask, act, onClear }) {
  const [asksPriority, setAsksPriority] = useState(false)
  const count = [...chosen.values()].reduce((sum, { jobs }) => sum + jobs, 0)
  const now = changes => act(() => changeAll(chosen, changes)).then(onClear)
  const after = (name, danger = false) => ask({
    title: t(`queue.selected.${name}`, { count }),
    text: t(`queue.act.${name}.sure`),
    yes: t(`queue.act.${name}`),
    danger,
    run: () => changeAll(chosen, { act: name }).finally(onClear)
  })
  const button = (name, run, type = '') =>
    html`<button type="button" class=${type} onClick=${run}>${t(`queue.act.${name}`)}</button>`
  return html`<div class="selection" role="toolbar" aria-label=${t('queue.selected', { count })}>
    <b>${t('queue.selected', { count })}</b>
    ${isOpen
      ? html`${button('top', () => now({ before: 'first' }))}
        ${button('priority', () => setAsksPriority(true))}
        ${button('hold', () => now({ act: 'hold' }))}
        ${button('release', () => after('release'))}
        ${button('cancel', () => after('cancel', true), 'danger')}`
      : button('retry', () => after('retry'))}
    <button type="button" class="quiet" onClick=${onClear}>${t('queue.selected.none')}</button>
    ${asksPriority && html`<${Priority} count=${count} onClose=${() => setAsksPriority(false)}
      onSend=${priority => { setAsksPriority(false); void now({ priority }) }} />`}
  </div>`
}
