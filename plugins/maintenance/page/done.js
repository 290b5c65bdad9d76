// What a person does with a task that is due, and what was done.

import { Dialog } from 'components'
import { call, callerName, t, upload } from 'shell'
import { dayText, Field, FormDialog, html, photoPath, taskName, taskWhy, useEffect, useRead, useRef, useState } from './lib.js'

const MOST_PHOTO_BYTES = 12 * 1024 ** 2

function Photo ({ onChoose }) {
  const [address, setAddress] = useState('')
  useEffect(() => () => { if (address !== '') URL.revokeObjectURL(address) }, [address])
  const choose = ({ target }) => {
    const [file] = target.files
    onChoose(file)
    setAddress(file ? URL.createObjectURL(file) : '')
  }
  return html`<div class="photo"><${Field} label=${t('maintenance.photo')} hint=${t('maintenance.photo.hint')}>
    <input type="file" accept="image/jpeg,image/png,image/webp" onChange=${choose} /><//>
    ${address !== '' && html`<img src=${address} alt=${t('maintenance.photo')} />`}</div>`
}

/**
 * Records that a task was done: one touch opens this, one saves it.
 * @param {{ printer: string, tasks: any[], onDone: (done: any[]) => Promise<void>, onClose: () => void }} props
 */
export function DoneDialog ({ printer, tasks, onDone, onClose }) {
  const [photo, setPhoto] = useState(/** @type {any} */ (undefined))
  /** What was recorded before a photo failed: pressed again, only the photo is sent. */
  const recorded = useRef(/** @type {any[] | undefined} */ (undefined))
  const [first] = tasks
  const today = new Date().toLocaleDateString('sv')
  const send = async form => {
    if (photo && photo.size > MOST_PHOTO_BYTES) throw new Error(t('maintenance.photo.large'))
    const data = new FormData(form)
    const day = String(data.get('day'))
    recorded.current ??= (await call('POST', 'maintenance/done', {
      printer,
      tasks: tasks.map(({ id }) => id),
      note: String(data.get('note')).trim(),
      ...(day !== today && day !== '' && { at: new Date(`${day}T12:00`).getTime() })
    })).done
    const done = recorded.current ?? []
    const problem = photo ? await upload(`maintenance/done/${done[0].id}/photo`, photo).then(() => '', error => error.message) : ''
    await onDone(done)
    if (problem !== '') throw new Error(problem)
  }
  return html`<${FormDialog} title=${tasks.length === 1 ? taskName(first) : t('maintenance.done.all.title', { count: tasks.length })}
    yes=${t('maintenance.done')} onSend=${send} onClose=${onClose}>
    <p><b>${printer}</b>${tasks.length === 1 && html`<span class="faint"> · ${taskWhy(first)}</span>`}</p>
    ${tasks.length > 1 && html`<p class="faint">${tasks.map(taskName).join(', ')}</p>`}
    <${Field} label=${t('maintenance.day')}><input type="date" name="day" max=${today} defaultValue=${today} /><//>
    <${Field} label=${t('maintenance.note')} hint=${t('maintenance.note.hint')}>
      <textarea class="words" name="note" maxlength="1000" /><//>
    ${tasks.length === 1 && html`<${Photo} onChoose=${setPhoto} />`}
  <//>`
}

/** What was just recorded, with a way back. */
export function UndoStrip ({ done, onUndone }) {
  const [problem, setProblem] = useState('')
  const undo = async () => {
    try {
      for (const { id } of done) await call('DELETE', `maintenance/done/${id}`)
      await onUndone()
    } catch (error) {
      setProblem(t('maintenance.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  const [first] = done
  const what = done.length === 1 ? taskName({ ...first, id: first.task, own: first.task.startsWith('own-') }) : t('maintenance.tasks.count', { count: done.length })
  return html`<div class="strip good" role="status"><span>${t('maintenance.recorded', { task: what, printer: first.printer })}</span><span class="space" />
    <button type="button" class="small" onClick=${undo}>${t('maintenance.undo')}</button>
    ${problem !== '' && html`<small>${problem}</small>`}</div>`
}

/** Photos are files of the machine that they were sent to, which may be that of another service. */
function Thumb ({ id, words, onShow }) {
  const [isElsewhere, setElsewhere] = useState(false)
  if (isElsewhere) return html`<small class="faint">${t('maintenance.photo.elsewhere')}</small>`
  return html`<button type="button" class="quiet" aria-label=${t('maintenance.photo.show', { task: words })} onClick=${onShow}>
    <img class="thumb" loading="lazy" src=${photoPath(id)} alt="" onError=${() => setElsewhere(true)} /></button>`
}

function Entry ({ entry, onShow, onUndo }) {
  const { id, printer, task, at, by, note, photo, undone } = entry
  const words = taskName({ ...entry, id: task, own: task.startsWith('own-') })
  return html`<li class=${`row${undone ? ' undone' : ''}`}>
    ${photo && !undone && html`<${Thumb} id=${id} words=${words} onShow=${() => onShow(entry)} />`}
    <div class="row-main"><b>${words}</b><small>${[printer, dayText(at), callerName(by)].filter(Boolean).join(' · ')}</small>
      ${note !== '' && html`<small>${note}</small>`}</div>
    ${undone
      ? html`<span class="badge">${t('maintenance.undone')}</span>`
      : html`<button type="button" class="quiet small" onClick=${() => onUndo(entry)}>${t('maintenance.undo')}</button>`}</li>`
}

/** What was done, newest first. */
export function DoneHistory ({ version, onUndone }) {
  const [shown, setShown] = useState(/** @type {any} */ (null))
  const [more, setMore] = useState(/** @type {any[]} */ ([]))
  const [cursor, setCursor] = useState(/** @type {string | null | undefined} */ (undefined))
  const [refused, setRefused] = useState('')
  const { body, problem, refresh } = useRead('maintenance/history', { limit: 50 })
  useEffect(() => {
    setMore([])
    setCursor(undefined)
    void refresh()
  }, [version])
  if (!body) return html`<p class="boot" role="status">${problem || '…'}</p>`
  const next = cursor === undefined ? body.cursor : cursor
  const failed = error => setRefused(t('maintenance.failed', { reason: error.message }))
  const load = () => call('GET', 'maintenance/history', { limit: 50, cursor: next }).then(page => {
    setMore([...more, ...page.done])
    setCursor(page.cursor)
  }).catch(failed)
  const undo = ({ id }) => call('DELETE', `maintenance/done/${id}`).then(onUndone).then(() => setRefused(''), failed)
  const rows = [...body.done, ...more]
  return html`<section class="card" aria-labelledby="done-title"><header><h2 id="done-title">${t('maintenance.history')}</h2></header>
    ${refused !== '' && html`<p class="bad" role="alert">${refused}</p>`}
    ${rows.length === 0 && html`<p class="boot">${t('maintenance.history.none')}</p>`}
    <ul class="rows">${rows.map(entry => html`<${Entry} key=${entry.id} entry=${entry} onShow=${setShown} onUndo=${undo} />`)}</ul>
    ${next !== null && html`<div class="buttons"><button type="button" onClick=${load}>${t('maintenance.more')}</button></div>`}
    ${shown && html`<${Dialog} wide title=${taskName({ ...shown, id: shown.task, own: shown.task.startsWith('own-') })} onClose=${() => setShown(null)}>
      <img class="shot" src=${photoPath(shown.id)} alt=${t('maintenance.photo')} /><//>`}</section>`
}
