import { modelName, t } from 'shell'
import { attempt, confirm, showToast } from './dialogs.js'
import { call, has, takes } from './api.js'
import { choose } from './printer-store.js'
import { html } from './lib.js'

/** Freshness of the shown state: `[word, class, detail]`. */
export function freshness ({ link, view, problem }) {
  if (link === 'lost') return [t('printer.link.lost'), 'bad', t('printer.link.lost.why')]
  if (!view) return [t('printer.link.waiting'), problem === '' ? '' : 'warn', problem || t('printer.link.waiting.why')]
  if (view.service === 'PAUSED') return [t('condition.unwatched'), 'warn', t('printer.link.paused.why')]
  if (view.service !== 'CONNECTED') return [t('condition.offline'), 'bad', t('printer.link.offline.why')]
  if (!view.isLive) return [t('condition.stale'), 'warn', t('printer.link.stale.why')]
  return link === 'live' ? [t('printer.link.live'), 'good', ''] : [t('printer.link.polling'), 'good', '']
}

const Chooser = ({ printers, printer }) => html`<label class="chooser"><span class="hidden">${t('printer.choose')}</span>
  <select value=${printer} onChange=${event => choose(event.currentTarget.value)}>
    ${printers.map(name => html`<option key=${name} value=${name}>${name}</option>`)}
  </select></label>`

async function toggleSession (isPaused) {
  const wanted = isPaused || await confirm({
    title: t('printer.session.pause.title'),
    text: t('printer.session.pause.sure'),
    action: t('printer.session.pause')
  })
  if (!wanted) return
  const params = takes('toggle_session', 'state') ? { state: isPaused ? 'CONNECTED' : 'PAUSED' } : {}
  const answer = await attempt('', () => call('toggle_session', params))
  if (answer) showToast(sessionWords(isPaused, answer.state), isPaused === (answer.state === 'PAUSED'))
}

/** What became of it: a session that is connecting cannot be paused. */
const sessionWords = (isResumed, state) => state === 'PAUSED'
  ? t('printer.session.paused')
  : t(isResumed ? 'printer.session.resumed' : 'printer.session.not_paused')

const Session = ({ view }) => html`<details class="menu"><summary aria-label=${t('printer.more')}>⋯</summary><div>
  ${has('trigger_printer_refresh') && html`<button type="button" onClick=${() =>
    attempt(t('printer.session.full.done'), () => call('trigger_printer_refresh'))}>${t('printer.session.full')}</button>`}
  ${has('toggle_session') && html`<button type="button" onClick=${() => toggleSession(view?.service === 'PAUSED')}>
    ${t(view?.service === 'PAUSED' ? 'printer.session.resume' : 'printer.session.pause')}</button>`}
</div></details>`

const GOOD_DBM = -65
const FAIR_DBM = -75

/** @param {string} text such as `-59dBm` */
function signalOf (text) {
  const dbm = Number.parseInt(text)
  return dbm >= GOOD_DBM ? 'good' : dbm >= FAIR_DBM ? 'fair' : 'weak'
}

/** The printer's name and connection. */
export function Head ({ state }) {
  const { printers, printer, view } = state
  const [word, tone, detail] = freshness(state)
  return html`<header class="top">
    <h1 class=${printers.length > 1 ? 'hidden' : ''}>${printer || 'prnd'}</h1>
    ${printers.length > 1 && html`<${Chooser} printers=${printers} printer=${printer} />`}
    ${view?.model && html`<span class="faint model">${modelName(view.model)}</span>`}
    <span class="space"></span>
    ${view?.door && html`<b class="badge warn">${t('printer.door')}</b>`}
    ${view?.wifi && html`<span class="faint wifi" title=${view.wifi}>${t(`printer.wifi.${signalOf(view.wifi)}`)}</span>`}
    <b class=${`badge ${tone}`} role="status" title=${detail}>${word}</b>
    <${Session} view=${view} />
  </header>
  ${detail && view && html`<p class=${`strip ${tone}`}>${detail}</p>`}`
}
