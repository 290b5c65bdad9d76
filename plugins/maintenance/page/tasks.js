// Tasks: their intervals, their printers, and which hold the queue back.

import { call, t } from 'shell'
import { everyText, Field, FormDialog, html, taskName, taskWhy, UNITS, useState } from './lib.js'

/** Of the form, each unit that has a number. */
const everyOf = data => Object.fromEntries(UNITS.flatMap(unit => {
  const value = Number(data.get(unit))
  return value > 0 ? [[unit, value]] : []
}))

/** Without a printer it would be a task of every one: the queue of them all might wait. @throws if none is chosen */
export function printersOf (data, task) {
  if (data.has('everyone')) return { printers: [] }
  const printers = data.getAll('printers').map(String)
  if (printers.length > 0) return { printers }
  if (task?.elsewhere && task.printers.length === 0) return {} // it has others only, which stay
  throw new Error(t('maintenance.printers.choose'))
}

function Printers ({ task, printers }) {
  const chosen = task?.printers ?? []
  const [isEveryone, setEveryone] = useState(chosen.length === 0 && !task?.elsewhere)
  return html`<fieldset><legend>${t('maintenance.printers')}</legend>
    <label class="check"><input type="checkbox" name="everyone" checked=${isEveryone} onChange=${({ target }) => setEveryone(target.checked)} />
      ${t('maintenance.printers.all')}</label>
    ${!isEveryone && html`<div class="choice">${printers.map(name => html`<label class="check" key=${name}><input type="checkbox" name="printers" value=${name}
      defaultChecked=${chosen.includes(name)} /> ${name}</label>`)}</div>
      ${task?.elsewhere && html`<small class="faint">${t('maintenance.printers.elsewhere')}</small>`}`}</fieldset>`
}

function TaskDialog ({ task, printers, onClose, onDone }) {
  const isOwn = task === undefined || task.own
  const send = async form => {
    const data = new FormData(form)
    const fields = {
      ...(isOwn && { name: String(data.get('name')).trim(), why: String(data.get('why')).trim() }),
      every: everyOf(data),
      ...printersOf(data, task),
      blocks: data.has('blocks'),
      off: !data.has('on')
    }
    await (task ? call('PATCH', `maintenance/tasks/${task.id}`, fields) : call('POST', 'maintenance/tasks', fields))
    await onDone()
  }
  const remove = async () => {
    await call('DELETE', `maintenance/tasks/${task.id}`)
    onClose()
    await onDone()
  }
  const reset = task && html`<button type="button" class=${isOwn ? 'danger' : ''} onClick=${remove}>
    ${t(isOwn ? 'maintenance.remove' : 'maintenance.usual')}</button><span class="space" />`
  return html`<${FormDialog} wide title=${task ? taskName(task) : t('maintenance.add')} yes=${t('maintenance.save')} before=${reset} onSend=${send} onClose=${onClose}>
    ${isOwn
      ? html`<${Field} label=${t('maintenance.name')}><input name="name" required maxlength="80" defaultValue=${task?.name ?? ''} /><//>
        <${Field} label=${t('maintenance.why')}><textarea class="words" name="why" maxlength="500" defaultValue=${task?.why ?? ''} /><//>`
      : html`<p class="faint">${taskWhy(task)}</p>`}
    <p><b>${t('maintenance.every')}</b> <span class="faint">${t('maintenance.every.hint')}</span></p>
    <div class="fields">${UNITS.map(unit => html`<${Field} key=${unit} label=${t(`maintenance.every.${unit}`)}>
      <input type="number" name=${unit} min="1" step="any" defaultValue=${task?.every[unit] ?? ''} /><//>`)}</div>
    <${Printers} task=${task} printers=${printers} />
    <label class="check"><input type="checkbox" name="blocks" defaultChecked=${task?.blocks ?? false} /> ${t('maintenance.blocks')}</label>
    <label class="check"><input type="checkbox" name="on" defaultChecked=${!(task?.off ?? false)} /> ${t('maintenance.on')}</label>
  <//>`
}

export function Tasks ({ tasks, printers, onChanged }) {
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  return html`<section class="card" aria-labelledby="tasks-title"><header><h2 id="tasks-title">${t('maintenance.tasks')}</h2>
      <button type="button" class="primary" onClick=${() => setDialog({})}>${t('maintenance.add')}</button></header>
    <p class="faint">${t('maintenance.tasks.lead')}</p>
    <ul class="rows">${tasks.map(task => html`<li class="row" key=${task.id}><div class="row-main"><b>${taskName(task)}</b>
      <small>${t('maintenance.every.text', { every: everyText(task.every) })}</small><small>${taskWhy(task)}</small></div>
      ${task.off && html`<span class="badge">${t('maintenance.off')}</span>`}
      ${task.blocks && !task.off && html`<span class="badge warn">${t('maintenance.blocks.short')}</span>`}
      ${(task.printers.length > 0 || task.elsewhere) && html`<span class="badge">${t('maintenance.printers.count', { count: task.printers.length })}</span>`}
      <button type="button" class="small" onClick=${() => setDialog({ task })}>${t('maintenance.change')}</button></li>`)}</ul>
    ${dialog && html`<${TaskDialog} ...${dialog} printers=${printers} onClose=${() => setDialog(null)} onDone=${onChanged} />`}</section>`
}
