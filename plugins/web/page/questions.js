import { t } from 'shell'
import { question, toasts, dismissToast } from './dialogs.js'
import { Dialog } from './dialog.js'
import { html, useState } from './lib.js'
import { desk } from './printer-store.js'
import { useStore } from './store.js'
import { tokenQuestion } from './token.js'

function Question () {
  const asked = useStore(question)
  useStore(desk) // what it asks about may change
  if (!asked) return null
  const { title, text, action, danger = false, isStale, answer } = asked
  const stale = isStale()
  return html`<${Dialog} title=${title} alert onClose=${() => answer(false)}>
    <p>${text}</p>
    ${stale && html`<p class="bad" role="alert">${t('printer.stale')}</p>`}
    <div class="buttons end">
      <button type="button" autofocus onClick=${() => answer(false)}>${t('printer.cancel')}</button>
      <button type="button" class=${danger ? 'danger' : 'primary'} disabled=${stale} onClick=${() => answer(true)}>${action}</button>
    </div>
  <//>`
}

function Token () {
  const asked = useStore(tokenQuestion)
  const [text, setText] = useState('')
  if (!asked) return null
  const send = event => { event.preventDefault(); asked.answer(text); setText('') }
  return html`<${Dialog} title=${t('printer.token.title')} onClose=${asked.refuse}>
    <form onSubmit=${send}>
      ${asked.wrong && html`<p class="bad" role="alert">${t('printer.token.wrong')}</p>`}
      <label>${t('printer.token')} <input type="password" autocomplete="current-password" required autofocus value=${text}
        onInput=${event => setText(event.currentTarget.value)} /></label>
      <p class="faint">${t('printer.token.kept')}</p>
      <div class="buttons end"><button class="primary">${t('printer.token.continue')}</button></div>
    </form>
  <//>`
}

function Sayings () {
  const said = useStore(toasts)
  return html`<div class="sayings" role="status" aria-live="polite">
    ${said.map(({ id, text, bad }) => html`<p key=${id} class=${bad ? 'saying bad' : 'saying'}>
      <span>${text}</span><button type="button" class="quiet icon-only" aria-label=${t('printer.dismiss')} onClick=${() => dismissToast(id)}>✕</button></p>`)}
  </div>`
}

/** Dialogs and messages above the page. */
export const Questions = () => html`<${Question} /><${Token} /><${Sayings} />`
