// The confirmation before something is sent.

import { Dialog } from 'components'
import { t } from 'shell'
import { html, useState } from './lib.js'

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
