import { setTitle, t } from 'shell'
import { Advanced } from './advanced.js'
import { Alerts } from './alerts.js'
import { has } from './api.js'
import { Camera } from './camera.js'
import { Climate } from './climate.js'
import { Controls } from './controls.js'
import { desk } from './printer-store.js'
import { Drop } from './drop.js'
import { Filament } from './filament.js'
import { Files } from './files.js'
import { freshness, Head } from './header.js'
import { Job } from './job.js'
import { html, useEffect } from './lib.js'
import { Move, useMayMove } from './move.js'
import { Offline } from './offline.js'
import { Panels } from './panels.js'
import { Prints } from './prints.js'
import { Questions } from './questions.js'
import { Settings } from './settings.js'
import { useStore } from './store.js'
import { useStreams } from './streams.js'
import { Tabs } from './tabs.js'

const tabsOf = ({ view, printer, link }, mayMove) => [
  has('get_sdcard_contents') && { id: 'files', content: html`<${Files} key=${printer} printer=${printer} view=${view} />` },
  { id: 'controls', content: html`<${Controls} view=${view} /><${Panels} printer=${printer} />` },
  mayMove && { id: 'move', content: html`<${Move} key=${printer} view=${view} link=${link} />` },
  { id: 'settings', content: html`<${Settings} view=${view} />` },
  has('history') && { id: 'history', content: html`<${Prints} key=${printer} printer=${printer} />` },
  { id: 'advanced', content: html`<${Advanced} view=${view} />` }
].filter(Boolean)

function Cards ({ state }) {
  const { view, history, printer, alerts } = state
  const streams = useStreams(printer)
  const isHere = view.service === 'CONNECTED'
  const isOld = freshness(state)[1] !== 'good'
  const mayMove = useMayMove(printer, view.service)
  return html`<main class=${isOld ? 'old' : ''}>
    ${(!isHere || state.problem !== '') && view.service !== 'PAUSED' && html`<${Offline} key=${printer} printer=${printer} problem=${state.problem} />`}
    <${Alerts} view=${view} alerts=${alerts} />
    <div class=${has('snapshot') ? 'sight' : ''}>
      ${has('snapshot') && html`<${Camera} key=${printer} printer=${printer} streams=${streams} online=${isHere} />`}
      <${Job} view=${view} path=${streams.path} pending=${state.pending} stopped=${state.stopped} />
    </div>
    <${Climate} view=${view} history=${history} />
    <${Filament} view=${view} />
    <${Tabs} tabs=${tabsOf(state, mayMove)} />
    ${has('upload_file_to_printer') && html`<${Drop} key=${printer} view=${view} printer=${printer} />`}
  </main>`
}

const Empty = ({ state }) => html`<main class="empty"><p role="status">
  ${(!state.asked ? state.problem : state.printers.length === 0 ? t('printer.none') : freshness(state)[2]) || t('printer.waiting')}</p></main>`

/** The whole page. */
export function App () {
  const state = useStore(desk)
  const { view, printer } = state
  useEffect(() => {
    setTitle(printer || t('printer.title'), view?.job.isBusy ? view.job.percent : undefined)
  }, [view?.job.percent, view?.job.isBusy, printer])
  return html`<${Head} state=${state} />
    <${view ? Cards : Empty} state=${state} />
    <${Questions} />`
}
