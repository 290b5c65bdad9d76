// One card for each printer: the state of its plate and what it waits for.

import { call, clock, t } from 'shell'
import { html, Icon, wordsOf } from './lib.js'

/** What the person saw when the dialog opened: a plate is confirmed only in that state. */
const seenOf = ({ seen, plate, job, reason, outcome_wanted: wanted, pending_start: start }) =>
  JSON.stringify([seen, plate, job, reason, wanted, start])

function clearQuestion (row, rowNow, outcome) {
  const { printer } = row
  const seen = seenOf(row)
  return {
    title: t('queue.clear.title', { printer }),
    text: [outcome ? t(`queue.outcome.${outcome}.sure`) : '', t('queue.clear.sure', { printer })].filter(Boolean).join(' '),
    yes: t('queue.clear'),
    isStale: () => { const now = rowNow(printer); return now === undefined || seenOf(now) !== seen },
    run: () => call('POST', 'queue/plate_clear', { printer, outcome, seen: row.seen })
  }
}

/** Dangerous: the printer may still begin what is given up, and only this allows to send something else. */
function giveUpQuestion (row, rowNow) {
  const { printer, pending_start: start } = row
  const seen = seenOf(row)
  return {
    title: t('queue.giveup.title', { job: start.job }),
    text: t('queue.giveup.sure', { printer }),
    yes: t('queue.giveup'),
    danger: true,
    isStale: () => { const now = rowNow(printer); return now === undefined || seenOf(now) !== seen },
    run: () => call('POST', 'give_up_start', { printer })
  }
}

/** @param {string | undefined} of a printer; left out: the whole queue */
export const resumeQuestion = of => ({
  title: t('queue.resume'),
  text: t('queue.resume.sure'),
  yes: t('queue.resume'),
  run: () => call('POST', 'queue/pause', { of, paused: false })
})

/** What the printer shows for a run whose outcome is unknown. */
const whyUnknown = (job, printer) =>
  job?.runs.find(run => run.printer === printer && run.state === 'unknown')?.reason ?? ''

/** Reasons under which a plate cannot be clear. */
const IN_USE = ['prints', 'paused_in']

function Plate ({ row, job, rowNow, ask, act }) {
  const { printer, plate, is_paused: isPaused, outcome_wanted: outcomeWanted, pending_start: pending } = row
  const clear = plate === 'clear'
  const askClear = outcome => () => ask(clearQuestion(row, rowNow, outcome))
  return html`<li class="card plate" data-printer=${printer}>
    <div class="plate-head"><h3>${printer}</h3>
      <b class=${`badge ${clear ? 'good' : 'warn'}`}><${Icon} name=${clear ? 'check' : 'alert'} />${t(`queue.plate.${plate}`)}</b></div>
    <p class="faint">${row.is_ready ? t('queue.ready') : wordsOf(row)}</p>
    ${pending && html`<p class="warn">${t('queue.pending', { job: pending.job, at: clock(pending.since) })}</p>
      <div class="buttons"><button type="button" class="small danger" aria-label=${`${t('queue.giveup')}: ${printer}`}
        onClick=${() => ask(giveUpQuestion(row, rowNow))}>${t('queue.giveup')}</button></div>`}
    ${outcomeWanted
      ? html`<p class="warn">${t('queue.outcome', { job: job?.name ?? '' })} ${whyUnknown(job, printer)}</p>
        <div class="big">${['printed', 'not_printed'].map(one => html`<button type="button" key=${one}
          aria-label=${`${t(`queue.outcome.${one}`)}: ${printer}`} onClick=${askClear(one)}>${t(`queue.outcome.${one}`)}</button>`)}</div>`
      : !clear && !pending && !IN_USE.includes(row.why?.code) && html`<div class="big"><button type="button" class="primary"
          aria-label=${`${t('queue.clear')}: ${printer}`} onClick=${askClear(undefined)}>${t('queue.clear')}</button></div>`}
    <div class="buttons"><button type="button" class="small"
      aria-label=${`${t(isPaused ? 'queue.resume' : 'queue.pause')}: ${printer}`}
      onClick=${() => isPaused
        ? ask(resumeQuestion(printer))
        : act(() => call('POST', 'queue/pause', { of: printer, paused: true }))}>
      ${t(isPaused ? 'queue.resume' : 'queue.pause')}</button></div>
  </li>`
}

export const Plates = ({ printers, jobs, rowNow, ask, act }) => html`<section aria-labelledby="plates-title">
  <h2 id="plates-title">${t('queue.plates')}</h2>
  <ul class="plates">${printers.map(row => html`<${Plate} key=${row.printer} row=${row} rowNow=${rowNow} ask=${ask} act=${act}
    job=${jobs.find(({ id }) => id === row.job)} />`)}</ul>
</section>`
