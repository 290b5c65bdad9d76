// A dialogue with a form; it stays open with the reason if the request fails.

import { useState } from 'preact/hooks'
import { t } from 'shell'
import { Dialog, html } from 'components'
import { failureText } from './words.js'

/**
 * @param {{ title: string, yes: string, danger?: boolean, onClose: () => void, children?: any,
 *   send: (form: FormData) => Promise<unknown> }} options `send` throws the error to show
 */
export function FormDialog ({ title, yes, danger = false, onClose, children, send }) {
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const submit = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    setProblem('')
    try {
      await send(new FormData(event.target))
      onClose()
    } catch (error) {
      setProblem(failureText(error))
      setRuns(false)
    }
  }
  return html`<${Dialog} title=${title} onClose=${onClose}><form class="edit" onSubmit=${submit}>
    ${children}
    <p class="note bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('relay.cancel')}</button>
      <button class=${danger ? 'danger' : 'primary'} disabled=${runs}>${yes}</button></div>
  </form><//>`
}
