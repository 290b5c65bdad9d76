// What is due over all printers, and each printer with its bars.

import { PrinterDrawing } from 'printer-drawing'
import { call, modelName, number, t } from 'shell'
import { countText, dayText, Field, FormDialog, html, progressText, taskName, taskWhy, useState } from './lib.js'

const SHOWN = 5
const SHOWN_DUE = 8
const COUNTS = ['hours', 'prints', 'grams', 'abrasive_grams', 'changes', 'hot_hours', 'chamber_hours', 'drying_hours']
/** Counters that say something of every printer, even when they are nothing. */
const ALWAYS = ['hours', 'prints', 'grams']
const FROM_BEFORE = ['hours', 'prints', 'grams', 'abrasive_grams', 'changes']

const lastText = ({ last_done_at: at }) => at === null ? t('maintenance.never') : t('maintenance.last', { day: dayText(at) })

/** Everything that a person should do soon, the most urgent first. */
export function DueList ({ printers, onDone }) {
  const [isWhole, setWhole] = useState(false)
  const rows = printers.flatMap(({ printer, tasks }) => tasks.filter(({ state }) => state !== 'ok').map(task => ({ printer, task })))
    .sort((a, b) => b.task.share - a.task.share)
  const count = rows.filter(({ task }) => task.state === 'due').length
  return html`<section class="card" aria-labelledby="due-title"><header><h2 id="due-title">${t('maintenance.due')}</h2>
      ${rows.length > 0 && html`<span class="faint" role="status">${t('maintenance.due.count', { due: count, soon: rows.length - count })}</span>`}</header>
    ${rows.length === 0 && html`<p class="boot">${t('maintenance.due.none')}</p>`}
    <ul class="rows due-list">${(isWhole ? rows : rows.slice(0, SHOWN_DUE)).map(({ printer, task }) => html`<li class="row" key=${`${printer} ${task.id}`}>
      <i class=${`mark ${task.state}`} aria-hidden="true"></i>
      <div class="row-main"><b>${taskName(task)}</b><small>${[printer, progressText(task), lastText(task)].join(' · ')}</small>
        ${task.blocks && task.state === 'due' && html`<span><span class="badge warn">${t('maintenance.blocks.now')}</span></span>`}</div>
      <span class=${`badge ${task.state === 'due' ? 'bad' : 'warn'}`}>${t(`maintenance.state.${task.state}`)}</span>
      <button type="button" class="small" aria-label=${`${t('maintenance.done')}: ${taskName(task)} · ${printer}`}
        onClick=${() => onDone(printer, [task])}>${t('maintenance.done')}</button></li>`)}</ul>
    ${rows.length > SHOWN_DUE && html`<div class="buttons small"><button type="button" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}>
      ${t(isWhole ? 'maintenance.less' : 'maintenance.all', { count: rows.length })}</button></div>`}</section>`
}

const Bar = ({ task, onDone }) => html`<li class="bar"><button type="button" title=${taskWhy(task)} onClick=${onDone}>${taskName(task)}</button>
  <small>${progressText(task)}</small>
  <span class=${`track ${task.state}`} role="img" aria-label=${t('maintenance.bar', { percent: number(Math.round(task.share * 100)) })}>
    <i style=${{ width: `${Math.min(100, task.share * 100)}%` }}></i></span></li>`

function Before ({ machine, onClose, onDone }) {
  const { printer, before } = machine
  const send = async form => {
    const data = new FormData(form)
    const given = FROM_BEFORE.flatMap(name => {
      const value = Number(data.get(name))
      return value > 0 ? [[name, value]] : []
    })
    await call('PATCH', 'maintenance/before', { printer, before: Object.fromEntries(given) })
    await onDone()
  }
  return html`<${FormDialog} title=${t('maintenance.before')} yes=${t('maintenance.save')} onSend=${send} onClose=${onClose}>
    <p><b>${printer}</b> <span class="faint">${t('maintenance.before.why')}</span></p>
    <div class="fields">${FROM_BEFORE.map(name => html`<${Field} key=${name} label=${t(`maintenance.before.${name}`)}>
      <input type="number" name=${name} min="0" max="100000000" step="any" defaultValue=${before?.[name] ?? ''} /><//>`)}</div><//>`
}

function Machine ({ machine, onDone, onChanged }) {
  const { printer, model, counters, before, tasks } = machine
  const [isWhole, setWhole] = useState(false)
  const [asks, setAsks] = useState(false)
  const shown = isWhole ? tasks : tasks.slice(0, SHOWN)
  const late = tasks.filter(({ state }) => state === 'due')
  const counts = COUNTS.filter(name => ALWAYS.includes(name) || counters[name] > 0)
  return html`<section class="card" aria-label=${printer}>
    <div class="machine-head"><${PrinterDrawing} model=${model} /><div><h2>${printer}</h2><small class="faint">${modelName(model)}</small></div>
      ${late.length > 0 ? html`<span class="badge bad">${t('maintenance.due.short', { count: late.length })}</span>` : html`<span class="badge good">${t('maintenance.state.ok')}</span>`}</div>
    <dl class="counts">${counts.map(name => html`<div key=${name}><dt>${t(`maintenance.count.${name}`)}</dt><dd>${countText(name, counters[name])}</dd></div>`)}</dl>
    <ul class="bars">${shown.map(task => html`<${Bar} key=${task.id} task=${task} onDone=${() => onDone(printer, [task])} />`)}</ul>
    <div class="buttons small">
      ${tasks.length > SHOWN && html`<button type="button" aria-expanded=${isWhole} onClick=${() => setWhole(!isWhole)}>
        ${t(isWhole ? 'maintenance.less' : 'maintenance.all', { count: tasks.length })}</button>`}
      ${late.length > 1 && html`<button type="button" onClick=${() => onDone(printer, late)}>${t('maintenance.done.all', { count: late.length })}</button>`}
      <button type="button" class="quiet" onClick=${() => setAsks(true)}>${t(before ? 'maintenance.before.change' : 'maintenance.before.ask')}</button></div>
    ${asks && html`<${Before} machine=${machine} onClose=${() => setAsks(false)} onDone=${onChanged} />`}
  </section>`
}

/** The printer that needs most first. */
export const Machines = ({ printers, onDone, onChanged }) => html`<div class="machines">${[...printers]
  .sort((a, b) => (b.tasks[0]?.share ?? 0) - (a.tasks[0]?.share ?? 0))
  .map(machine => html`<${Machine} key=${machine.printer} machine=${machine} onDone=${onDone} onChanged=${onChanged} />`)}</div>`
