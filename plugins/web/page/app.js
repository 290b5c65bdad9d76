import { Advanced } from './advanced.js'
import { Alerts } from './alerts.js'
import { has } from './api.js'
import { Camera } from './camera.js'
import { Fans, Temperatures } from './climate.js'
import { Controls } from './controls.js'
import { desk } from './printer-store.js'
import { Filament } from './filament.js'
import { Files } from './files.js'
import { freshness, Head } from './header.js'
import { Job } from './job.js'
import { html, useEffect } from './lib.js'
import { Panels } from './panels.js'
import { Questions } from './questions.js'
import { Settings } from './settings.js'
import { useStore } from './store.js'

function Cards ({ state }) {
  const { view, history, printer, alerts } = state
  const isOld = freshness(state)[1] !== 'good'
  return html`<main class=${isOld ? 'old' : ''}>
    <div class="column">
      <${Job} view=${view} /><${Alerts} view=${view} alerts=${alerts} />
      ${has('snapshot') && html`<${Camera} key=${printer} printer=${printer} online=${view.service === 'CONNECTED'} />`}
    </div>
    <div class="column">
      <${Temperatures} view=${view} history=${history} /><${Fans} view=${view} history=${history} />
      <${Controls} view=${view} /><${Panels} printer=${printer} />
    </div>
    <div class="column"><${Filament} view=${view} /></div>
    <div class="below">
      <div class="column">
        ${has('get_sdcard_contents') && html`<${Files} key=${printer} printer=${printer} view=${view} />`}
        <${Advanced} view=${view} />
      </div>
      <${Settings} view=${view} />
    </div>
  </main>`
}

const NONE = 'No printer is configured yet.'

const Empty = ({ state }) => html`<main class="empty"><p role="status">
  ${(state.printers.length === 0 && state.asked ? NONE : freshness(state)[2]) || 'Waiting for the printer …'}</p></main>`

/** The whole page. */
export function App () {
  const state = useStore(desk)
  const { view, printer } = state
  useEffect(() => {
    const part = view?.job.isBusy ? `${Math.round(view.job.percent)} % · ` : ''
    document.title = `${part}${printer || 'printer'} – prn`
  }, [view?.job.percent, view?.job.isBusy, printer])
  return html`<${Head} state=${state} />
    <${view ? Cards : Empty} state=${state} />
    <${Questions} />`
}
