// How prints are watched, and the networks for it.

import { render } from 'preact'
import { useState } from 'preact/hooks'
import { call, linkTo, t } from 'shell'
import { html } from 'components'
import { Decides } from './decides.js'
import { AddNetwork, Networks } from './networks.js'
import { Now } from './now.js'
import { isRunning, Progress } from './progress.js'
import { Try } from './try.js'
import { Watched } from './watched.js'

/** @returns {any} */
const $ = id => document.getElementById(id)
/** While something is being fetched. */
const ASK_AGAIN_MS = 1_000

function Monitor ({ state }) {
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const open = (Dialog, more = {}) => setDialog(html`<${Dialog} onClose=${() => setDialog(null)} onState=${show} ...${more} />`)
  const { task, runtimes, remote, may_change: mayChange } = state
  const canTry = mayChange && (Object.keys(runtimes).length > 0 || remote !== null)
  return html`<${Progress} task=${task} mayChange=${mayChange} onCancel=${() => begin('health/networks/cancel')} />
    <${Watched} />
    <${Now} ...${{ state, begin }} />
    ${canTry && html`<${Try} />`}
    <${Networks} ...${{ state, open }} />
    ${mayChange && html`<${AddNetwork} state=${state} isBusy=${isRunning(task)} open=${open} />`}
    ${!mayChange && html`<p class="note">${t('monitor.rights')}</p>`}
    <${Decides} />
    <p class="faint">${t('monitor.reference')}</p>
    ${dialog}`
}

let timer
function show (state) {
  $('problem').hidden = true
  render(html`<${Monitor} state=${state} />`, $('monitor'))
  clearTimeout(timer)
  if (isRunning(state.task)) timer = setTimeout(() => { void begin() }, ASK_AGAIN_MS)
}

/** Shows what a request answers. @param {string} [path] to be posted to; by default the state is read */
async function begin (path) {
  try {
    show(await (path === undefined ? call('GET', 'health/networks') : call('POST', path)))
  } catch (error) {
    const { status, message } = /** @type {any} */ (error)
    if (status === 401) return location.assign(linkTo('monitor')) // the service redirects to the login
    $('problem').textContent = t('monitor.failed', { reason: message })
    $('problem').hidden = false
  }
}

void begin()
