// How long the service keeps what is not on a page of its own.

import { html } from 'components'
import { render } from 'preact'
import { hasPage, linkTo, number, t } from 'shell'
import { dayText, KeepCard } from './keep-card.js'

const since = (key, count, oldest) => oldest === null ? t('storage.nothing') : t(key, { count, number: number(count), date: dayText(oldest) })

const ALERTS = {
  keep_days: { word: 'time', unit: 'days', least: 1, used: ({ alerts, oldest_at: oldest }) => since('storage.alerts.since', alerts, oldest) }
}
const AUDIT = {
  keep_days: { word: 'time', unit: 'days', least: 1, used: ({ entries, oldest_at: oldest }) => since('storage.audit.since', entries, oldest) },
  most_entries: { word: 'most', unit: 'number', least: 1_000 }
}

const Storage = () => html`<main class="page narrow"><header class="page-head"><h1>${t('storage.title')}</h1><p class="lead">${t('storage.lead')}</p></header>
  <${KeepCard} id="alerts" path="alert_log/keeping" prefix="storage.alerts" fields=${ALERTS}
    goneParts=${({ alerts }) => [alerts > 0 && t('storage.alerts.gone', { count: alerts, number: number(alerts) })]} />
  <${KeepCard} id="audit" path="audit/keeping" prefix="storage.audit" fields=${AUDIT}
    goneParts=${({ entries }) => [entries > 0 && t('storage.audit.gone', { count: entries, number: number(entries) })]} />
  ${hasPage('history') && html`<p class="faint"><a href=${`${linkTo('history')}#statistics`}>${t('storage.prints')}</a></p>`}
</main>`

const place = /** @type {any} */ (document.getElementById('storage'))
place.replaceChildren()
render(html`<${Storage} />`, place)
