// The confirmation before something is sent.

import { showDialog, t } from 'shell'
import { html, Icon, useEffect, useRef, useState } from './lib.js'

/** A dialog that returns the focus to where it came from. */
export function Dialog ({ title, onClose, children }) {
  const dialog = useRef(/** @type {any} */ (null))
  useEffect(() => showDialog(dialog.current), [])
  return html`<dialog ref=${dialog} aria-labelledby="dialog-title" onClose=${onClose}>
    <header><h2 id="dialog-title">${title}</h2>
      <button type="button" class="quiet icon-only" aria-label=${t('shell.close')} onClick=${onClose}>
        <${Icon} name="close" /></button></header>
    ${children}
  </dialog>`
}

/**
 * @typedef {{ title: string, text: string, yes: string, danger?: boolean, run: () => Promise<unknown>,
 *   isStale?: () => boolean }} Question `isStale`: what it was asked about has changed meanwhile
 */

/** Sends nothing before it is confirmed, and shows why it was refused. */
export function Ask ({ question, onClose }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const { title, text, yes, danger, run, isStale } = question
  const stale = isStale?.() ?? false
  const send = async event => {
    event.preventDefault()
    if (stale || runs) return
    setRuns(true)
    try {
      await run()
      onClose()
    } catch (error) {
      setProblem(t('queue.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form onSubmit=${send}>
      <p>${text}</p>
      <p class="bad" role="alert" hidden=${!stale && problem === ''}>${stale ? t('queue.stale') : problem}</p>
      <div class="buttons end">
        <button type="button" onClick=${onClose}>${t('queue.no')}</button>
        <button class=${danger ? 'danger' : 'primary'} disabled=${runs || stale}>${yes}</button>
      </div>
    </form>
  <//>`
}
