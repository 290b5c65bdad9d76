import { PrinterDrawing } from 'printer-drawing'
import { hasPage, iconPath, jobCondition, linkTo, number, shell, t, timeText } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { Card } from './ui.js'
import { ChooseFile } from './drop.js'
import { minutesText } from '../../shell/page/format.js'
import { Health } from './health.js'
import { HeldPrinter } from './held-printer.js'
import { html, useState } from './lib.js'
import { PendingStart } from './pending-start.js'
import { meantJob, otherJob } from './printer-store.js'
import { SkipDialog } from './skip.js'

const MS_PER_MIN = 60_000

/** Condition of the job, with the words and colours of all pages. */
const Badge = ({ job }) => {
  const condition = jobCondition(job.isCancelled ? 'FAILED' : job.state, job.isCancelled)
  const { tone, icon } = shell.conditions[condition]
  return html`<b class=${`badge ${tone}`} role="status" aria-live="polite"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${iconPath(icon)} /></svg>${t(`condition.${condition}`)}</b>`
}

async function stop (job) {
  const yes = await confirm({
    title: t('printer.stop.title'),
    text: t('printer.stop.sure', { name: job.name || '–' }),
    action: t('printer.stop.yes'),
    danger: true,
    isStale: otherJob(job)
  })
  if (yes) await attempt(t('printer.stopped'), () => call('stop_printing', meantJob('stop_printing', job)))
}

/** What can be done now: while something prints, quiet; when the printer is free, the next print. */
function Controls ({ job, onSkip }) {
  const pause = () => attempt(t('printer.paused'), () => call('pause_printing'))
  const resume = () => attempt(t('printer.resumed'), () => call('resume_printing'))
  if (!job.isBusy) return has('upload_file_to_printer') && html`<div class="buttons"><${ChooseFile} /></div>`
  return html`<div class="buttons">
    ${job.isPaused
      ? html`<button type="button" class="primary" onClick=${resume}>${t('printer.resume')}</button>`
      : html`<button type="button" onClick=${pause}>${t('printer.pause')}</button>`}
    <button type="button" class="danger" onClick=${() => stop(job)}>${t('printer.stop')}</button>
    <button type="button" class="quiet" onClick=${onSkip}>${t('printer.skip')}</button>
  </div>`
}

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`

const Facts = ({ job }) => html`<dl class="facts">
  <${Fact} name=${t('printer.job.layer')}>${job.layers > 0 ? `${job.layer} / ${job.layers}` : '–'}<//>
  <${Fact} name=${t('printer.job.elapsed')}>${job.isBusy ? minutesText(job.elapsed) : '–'}<//>
  <${Fact} name=${t('printer.job.remaining')}>${job.isBusy ? minutesText(job.remaining) : '–'}<//>
  ${job.isBusy && job.remainingByMoves !== undefined && html`<${Fact} name=${t('printer.job.by_moves')}>${minutesText(job.remainingByMoves)}<//>`}
</dl>`

/** Spools of the first unit, for the drawing. */
const drawnSpools = ({ units }) => (units[0]?.slots ?? []).map(({ colors }) => ({ color: colors[0] ?? '' }))

/** Picture of the part, or the printer's drawing, with the progress around it. */
function Part ({ view, path }) {
  const { job } = view
  const src = `${path}thumbnail?absent=204&job=${encodeURIComponent(job.name)}`
  const [missing, setMissing] = useState('')
  const hasPicture = path !== '' && job.name !== '' && missing !== src
  const share = job.isBusy ? Math.max(0.5, job.percent) : 0
  return html`<span class=${`round ${job.isBusy ? 'runs' : ''}`}>
    <svg class="ring" viewBox="0 0 120 120" aria-hidden="true"><circle class="track" cx="60" cy="60" r="56" />
      ${share > 0 && html`<circle class="done" cx="60" cy="60" r="56" pathLength="100" stroke-dasharray=${`${share} 100`} />`}</svg>
    ${hasPicture
      ? html`<img src=${src} alt=${t('printer.job.part')} onError=${() => setMissing(src)} />`
      : html`<${PrinterDrawing} model=${view.model} spools=${drawnSpools(view)} isLit=${view.light} percent=${job.isBusy ? job.percent : 0} />`}
  </span>`
}

const endOf = ({ isBusy, isPaused, isCancelled, percent, remaining }) => isCancelled
  ? t('printer.job.stopped_at', { percent: number(Math.round(percent)) })
  : isBusy && !isPaused && remaining !== undefined
    ? t('printer.job.ends', { time: timeText(Date.now() + remaining * MS_PER_MIN) })
    : ''

/** A finished or failed job shows how far it came; a cancelled one says so in its sentence. */
const showsPercent = ({ isBusy, isCancelled, name, percent }) => isBusy || (name !== '' && !isCancelled && percent > 0)

/** The job with its progress and actions. */
export function Job ({ view, path, pending, stopped }) {
  const { job } = view
  const [skips, setSkips] = useState(false)
  return html`<${Card} id="job" title=${t('printer.job')} extra=${html`<${Badge} job=${job} />`}>
    ${pending && html`<${PendingStart} pending=${pending} />`}
    ${stopped && html`<${HeldPrinter} stopped=${stopped} />`}
    <div class="far"><${Part} view=${view} path=${path} />
      <div class="story"><p class="job-name">${job.name || t('printer.job.none')}</p>
        ${showsPercent(job) && html`<b class="percent">${number(Math.round(job.percent))}<small> %</small></b>`}
        <p class="ends">${endOf(job)}</p></div></div>
    ${job.isBusy && html`<progress class="hidden" max="100" value=${job.percent} aria-label=${t('printer.job.progress')}></progress>
      <p class="stage faint">${job.stage || ' '}</p>
      <${Facts} job=${job} />`}
    ${job.isBusy && job.file && hasPage('plate') && html`<p><a href=${linkTo('plate', { file: job.file, plate: String(job.plate) })}>${t('printer.job.layers')}</a></p>`}
    <${Controls} job=${job} onSkip=${() => setSkips(true)} />
    <${Health} path=${path} isBusy=${job.isBusy} />
    ${skips && has('skip_objects') && html`<${SkipDialog} view=${view} onClose=${() => setSkips(false)} />`}
  <//>`
}
