// The first start: a printer, who may use the service, and messages. Each step can be skipped.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { hasPage, shell, t } from 'shell'
import { html, Icon } from 'components'
import { PrinterStep } from './printer-step.js'
import { AccessStep } from './access-step.js'
import { MessagesStep } from './messages-step.js'

const YEAR_S = 31_536_000

const STEPS = [
  { id: 'printer', Step: PrinterStep },
  { id: 'access', Step: AccessStep },
  ...(hasPage('messages') ? [{ id: 'messages', Step: MessagesStep }] : [])
]

/** Remembers in this browser that the first start is over, and leaves. @param {string} [path] */
export function leave (path = '') {
  const home = new URL(shell.base || './', location.href)
  document.cookie = `prnd-welcome=done; Path=${home.pathname}; SameSite=Strict; Max-Age=${YEAR_S}`
  location.assign(new URL(path, home))
}

/** @param {{ at: number, done: ReadonlySet<string>, go: (at: number) => void }} options */
const Steps = ({ at, done, go }) => html`<nav aria-label=${t('welcome.steps')}><ol class="steps">
  ${STEPS.map(({ id }, index) => html`<li key=${id} class=${done.has(id) ? 'done' : ''}>
    <button type="button" aria-current=${index === at ? 'step' : undefined} onClick=${() => go(index)}>
      <span class="mark">${done.has(id) ? html`<${Icon} name="check" />` : index + 1}</span>${t(`welcome.step.${id}`)}</button></li>`)}
</ol></nav>`

function Welcome () {
  const [at, setAt] = useState(0)
  const [done, setDone] = useState(/** @type {ReadonlySet<string>} */ (new Set()))
  const { id, Step } = STEPS[at]
  const isLast = at === STEPS.length - 1
  const next = () => { if (isLast) leave(); else setAt(at + 1) }
  const finish = step => setDone(before => new Set([...before, step]))
  return html`<${Steps} ...${{ at, done, go: setAt }} />
    <${Step} onDone=${() => finish(id)} next=${next} isLast=${isLast} leave=${leave} />
    <div class="foot"><button type="button" class="quiet" onClick=${() => leave()}>${t('welcome.later')}</button>
      ${!isLast && !done.has(id) && html`<button type="button" class="quiet" onClick=${next}>${t('welcome.skip')}</button>`}</div>`
}

render(html`<${Welcome} />`, /** @type {any} */ (document.getElementById('welcome')))
