import { iconPath, jobCondition, shell, t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { Card } from './ui.js'
import { finishText, minutesText } from './format.js'
import { html, useState } from './lib.js'
import { SkipDialog } from './skip.js'

/** What a job is doing, in the words and colours that all pages share. */
const Badge = ({ job }) => {
  const condition = jobCondition(job.isCancelled ? 'FAILED' : job.state, job.isCancelled)
  const { tone, icon } = shell.conditions[condition]
  return html`<b class=${`badge ${tone}`} role="status" aria-live="polite"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${iconPath(icon)} /></svg>${t(`condition.${condition}`)}</b>`
}

async function stop (name) {
  const yes = await confirm({
    title: 'Stop the print?',
    text: `The job${name ? ` “${name}”` : ''} will be cancelled; it cannot be resumed.`,
    action: 'Stop print',
    danger: true
  })
  if (yes) await attempt('Print stopped', () => call('stop_printing'))
}

function Controls ({ job, onSkip }) {
  const pause = () => attempt('Print paused', () => call('pause_printing'))
  const resume = () => attempt('Print resumed', () => call('resume_printing'))
  return html`<div class="buttons">
    ${job.isPaused
      ? html`<button type="button" class="primary" onClick=${resume}>Resume</button>`
      : html`<button type="button" onClick=${pause} disabled=${!job.isBusy}>Pause</button>`}
    <button type="button" onClick=${onSkip} disabled=${!job.isBusy}>Skip objects …</button>
    <button type="button" class="danger" onClick=${() => stop(job.name)} disabled=${!job.isBusy}>Stop</button>
  </div>`
}

const Fact = ({ name, children }) => html`<div><dt>${name}</dt><dd>${children}</dd></div>`

const Facts = ({ job }) => html`<dl class="facts">
  <${Fact} name="Layer">${job.layers > 0 ? `${job.layer} / ${job.layers}` : '–'}<//>
  <${Fact} name="Elapsed">${job.isBusy ? minutesText(job.elapsed) : '–'}<//>
  <${Fact} name="Remaining">${job.isBusy ? minutesText(job.remaining) : '–'}<//>
  <${Fact} name="Done at">${job.isBusy && !job.isPaused && job.remaining !== undefined ? finishText(job.remaining, new Date()) : '–'}<//>
</dl>`

/** What is printed, how far it is, and what may be done about it. */
export function Job ({ view }) {
  const { job } = view
  const [skips, setSkips] = useState(false)
  return html`<${Card} id="job" title="Job" extra=${html`<${Badge} job=${job} />`}>
    <p class="job-name">${job.name || 'No job yet'}</p>
    <p class="stage faint">${job.stage || ' '}</p>
    <div class="progress"><progress max="100" value=${job.percent} aria-label="Progress of the print"></progress>
      <b>${Math.round(job.percent)} %</b></div>
    <${Facts} job=${job} />
    <${Controls} job=${job} onSkip=${() => setSkips(true)} />
    ${skips && has('skip_objects') && html`<${SkipDialog} view=${view} onClose=${() => setSkips(false)} />`}
  <//>`
}
