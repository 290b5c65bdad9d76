import { hasText, number, t } from 'shell'
import { request } from './api.js'
import { html, useEffect, useState } from './lib.js'

const EVERY_MS = 10_000
const NOTHING = 204
const TONES = { clean: '', warning: 'warn', critical: 'bad' }

/** Report of the job monitor while a job runs; undefined without one. */
function useReport (path, isBusy) {
  const [report, setReport] = useState(/** @type {any} */ (undefined))
  useEffect(() => {
    if (path === '' || !isBusy) return setReport(undefined)
    const abort = new AbortController()
    const ask = async () => {
      if (document.hidden) return
      const response = await request(`${path}job_state?absent=204`, { signal: abort.signal }).catch(() => undefined)
      const isJudged = response?.ok && response.status !== NOTHING
      const next = isJudged ? await response.json().catch(() => undefined) : undefined
      if (!abort.signal.aborted) setReport(next)
    }
    void ask()
    const timer = setInterval(ask, EVERY_MS)
    return () => { abort.abort(); clearInterval(timer) }
  }, [path, isBusy])
  return report
}

const FAILING = ['warning', 'critical']

/** The judged picture with marks; nothing while the service has none. */
function FoundPicture ({ src }) {
  const [isMissing, setMissing] = useState(false)
  if (isMissing) return null
  return html`<a href=${src} target="_blank" rel="noopener"><img src=${src} alt=${t('printer.health.found')}
    onError=${() => setMissing(true)} /></a>`
}

const textOf = key => hasText(key) ? t(key) : ''

/** The service's verdict in the language of the page. */
const sentenceOf = ({ word, reason, sight }) => [
  textOf(`printer.health.${word}`),
  reason === null ? textOf(`printer.health.sight.${sight}`) : textOf(`printer.health.why.${reason}`)
].filter(Boolean).join(' ')

const percent = value => typeof value === 'number' ? `${Math.round(value * 100)} %` : '–'
const score = value => typeof value === 'number' ? number(value, { maximumFractionDigits: 3 }) : '–'

const figuresOf = report => [
  ['gauge', percent(report.status.health)], ['confidence', percent(report.decision_confidence)],
  ['score', score(report.anomaly_score)], ['strand', score(report.strand_score)], ['diff', score(report.diff_score)],
  ['layer', report.total_layers > 0 ? `${report.layer} / ${report.total_layers}` : '–']
]

/** One verdict: a sentence, the picture with what was found where something is wrong, and figures on demand. */
export function Health ({ path, isBusy }) {
  const report = useReport(path, isBusy)
  if (!report?.status) return null
  return html`<div class=${`health ${TONES[report.status.word] ?? ''}`} role="group" aria-label=${t('printer.health')}>
    <p aria-live="polite">${sentenceOf(report.status)}</p>
    ${FAILING.includes(report.status.word) && html`<${FoundPicture} key=${report.timestamp}
      src=${`${path}annotated?at=${encodeURIComponent(report.timestamp)}`} />`}
    <details><summary>${t('printer.health.figures')}</summary><dl class="facts">
      ${figuresOf(report).map(([key, value]) => html`<div key=${key}><dt>${t(`printer.health.${key}`)}</dt><dd>${value}</dd></div>`)}
    </dl></details></div>`
}
