import { html } from 'components'
import { useEffect, useRef, useState } from 'preact/hooks'
import { number, shell, showDialog, t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

export const RESULTS = ['running', 'finished', 'failed', 'cancelled', 'unknown']
const TONES = { finished: ' good', failed: ' bad', cancelled: ' warn' }

export const Badge = ({ result }) => html`<span class=${`badge${TONES[result] ?? ''}`}>${t(`history.result.${result}`)}</span>`

/** In hours and minutes. @param {number} seconds */
export function duration (seconds) {
  const minutes = Math.round(seconds / 60)
  return minutes < 60
    ? t('history.minutes', { minutes })
    : t('history.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** @param {number} wh */
export const energyText = wh => wh < 1_000 ? `${number(wh, { maximumFractionDigits: 0 })} Wh` : `${number(wh / 1_000, { maximumFractionDigits: 2 })} kWh`

export const grams = value => `${number(value, { maximumFractionDigits: 1 })} g`

/** People look for the print of last Tuesday. @param {number} when */
export const dayTime = when => new Date(when).toLocaleString(shell.language, {
  weekday: 'short', year: 'numeric', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit'
})

/** The answer to a request, repeated whenever its key changes. @param {() => Promise<any>} ask @param {string} key */
export function useAnswer (ask, key) {
  const [answer, setAnswer] = useState(/** @type {{ key: string, body?: any, problem?: string }} */ ({ key: '' }))
  useEffect(() => {
    let isWanted = true
    ask().then(body => { if (isWanted) setAnswer({ key, body }) },
      error => { if (isWanted) setAnswer({ key, problem: t('history.failed', { reason: error.message }) }) })
    return () => { isWanted = false }
  }, [key])
  return answer.key === key ? answer : { key }
}

/** Whether the user may override a refusal: all that stands in its way may be accepted. @param {any} error */
const asksFirst = ({ body }) => body?.findings?.length > 0
  ? body.findings.every(({ may_accept: mayAccept }) => mayAccept)
  : body?.warnings?.some(({ needs_accept: needs }) => needs) === true

/**
 * A dialog that asks for confirmation and then restores the focus.
 * @param {any} props `accept` is the parameter by which the user overrides a refusal; it is passed to `run`
 */
export function Ask ({ title, text, yes, danger = false, accept = '', run, onClose, children = null }) {
  const dialog = useRef(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const [asks, setAsks] = useState(false)
  const [accepted, setAccepted] = useState(false)
  useEffect(() => showDialog(dialog.current), [])
  const send = async event => {
    event.preventDefault()
    if (runs) return
    setRuns(true)
    try {
      await run(accepted)
      onClose()
    } catch (error) {
      setAsks(asksFirst(error))
      setAccepted(false)
      setProblem(t('history.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  return html`<dialog ref=${dialog} aria-labelledby="ask-title" onClose=${onClose}>
    <header><h2 id="ask-title">${title}</h2></header>
    <form class="ask" onSubmit=${send}>
      <p>${text}</p>
      ${children}
      <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
      ${asks && html`<label class="check"><input type="checkbox" checked=${accepted}
        onChange=${event => setAccepted(event.currentTarget.checked)} /> ${accept}</label>`}
      <div class="buttons end">
        <button type="button" onClick=${onClose}>${t('history.no')}</button>
        <button class=${danger ? 'danger' : 'primary'} disabled=${runs || (asks && !accepted)}>${yes}</button>
      </div>
    </form>
  </dialog>`
}
