// Which printers slicers reach through this service, and which programs may connect.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, t } from 'shell'
import { html } from 'components'
import { Clients } from './clients.js'
import { Places } from './places.js'
import { failureText } from './words.js'

const EVERY_MS = 3_000
const FORBIDDEN = 403

function App () {
  const [view, setView] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const [dialog, setDialog] = useState(/** @type {any} */ (null))
  const refresh = async () => {
    try {
      setView(await call('GET', 'relay/setup'))
      setProblem('')
    } catch (error) {
      setProblem(/** @type {any} */ (error).status === FORBIDDEN ? t('relay.forbidden') : failureText(error))
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void refresh() }, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  /** @param {(onClose: () => void) => any} make makes the dialogue; what a dialogue asks next takes its place */
  const ask = make => setDialog(make(() => setDialog(null)))
  if (view === null) return problem === '' ? '' : html`<p class="note warn" role="alert">${problem}</p>`
  const given = { view, ask, onDone: refresh }
  return html`${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    <${Places} ...${given} /><${Clients} ...${given} />
    <p class="note">${t('relay.own')}</p>${dialog}`
}

render(html`<${App} />`, /** @type {any} */ (document.getElementById('relay')))
