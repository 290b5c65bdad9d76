// The plates: which ones someone has to look at, and what each printer waits for.

import { call, number, t, timeText } from 'shell'
import { html, Icon, useState, wordsOf } from './lib.js'

/** So many printers are shown without being unfolded. */
const FEW = 6

/** What the person saw when the dialog opened: a plate is confirmed only in that state. */
const seenOf = ({ seen, plate, job, reason, outcome_wanted: wanted, pending_start: start }) =>
  JSON.stringify([seen, plate, job, reason, wanted, start])

/** @param {any} row @param {(printer: string) => any} rowNow @param {string | undefined} outcome */
export function clearQuestion (row, rowNow, outcome) {
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
    run: () => call('POST', 'give_up_start', { printer, since: start.since })
  }
}

/** @param {string | undefined} of a printer; left out: the whole queue */
export const resumeQuestion = of => ({
  title: t('queue.resume'),
  text: t('queue.resume.sure'),
  yes: t('queue.resume'),
  run: () => call('POST', 'queue/pause', { of, paused: false })
})

/** @param {any} row of a printer that is held after failures */
const releaseQuestion = ({ printer, failures }, rowNow) => ({
  title: t('queue.stopped.title', { printer }),
  text: t('queue.stopped.sure'),
  yes: t('queue.stopped.release'),
  isStale: () => rowNow(printer)?.failures.stopped_at !== failures.stopped_at,
  run: () => call('POST', 'queue/release', { printer, stopped_at: failures.stopped_at })
})

/** What the printer shows for a run whose outcome is unknown. */
const whyUnknown = (group, printer) =>
  group?.runs.find(run => run.printer === printer && run.state === 'unknown')?.reason ?? ''

/** Reasons under which a plate cannot be clear. */
const IN_USE = ['prints', 'paused_in', 'at_job', 'warming', 'warming_chamber', 'soaking']

/** Whether only a look at the plate is missing. */
export const isToClear = ({ plate, why, outcome_wanted: wanted, pending_start: pending }) =>
  plate !== 'clear' && !wanted && !pending && !IN_USE.includes(why?.code)

const Pause = ({ row: { printer, is_paused: isPaused }, ask, act }) => html`<button type="button" class="small quiet"
  aria-label=${`${t(isPaused ? 'queue.resume' : 'queue.pause')}: ${printer}`} onClick=${() => isPaused
    ? ask(resumeQuestion(printer))
    : act(() => call('POST', 'queue/pause', { of: printer, paused: true }))}>${t(isPaused ? 'queue.resume' : 'queue.pause')}</button>`

/** Numbers of failures that are offered; 0 never. */
const LIMITS = [0, 1, 2, 3, 5, 10]

const isStopped = ({ failures }) => failures.stopped_at !== null

/** Prints have failed here, and the printer is not used until a person says so. */
const Stopped = ({ row, rowNow, ask, act }) => html`<div class="note warn"><p>${t('queue.stopped', { failures: row.failures.in_a_row })}</p>
  <div class="buttons"><button type="button" class="small" aria-label=${`${t('queue.stopped.release')}: ${row.printer}`}
    onClick=${() => ask(releaseQuestion(row, rowNow))}>${t('queue.stopped.release')}</button>
    <label class="choice">${t('queue.stopped.after')} <select aria-label=${`${t('queue.stopped.after')}: ${row.printer}`}
      onChange=${({ target }) => act(() => call('PATCH', 'queue/failures', { printer: row.printer, most: Number(target.value) }))}>
      ${[...new Set([...LIMITS, row.failures.most])].sort((a, b) => a - b).map(most => html`<option key=${most} value=${most}
        selected=${most === row.failures.most}>${most === 0 ? t('queue.stopped.never') : number(most)}</option>`)}</select></label></div></div>`

/** A start that the printer does not show yet, or an outcome that only a person knows. */
function Trouble ({ row, group, rowNow, ask }) {
  const { printer, outcome_wanted: outcomeWanted, pending_start: pending } = row
  return html`<div class="note warn">
    ${pending && html`<p>${t('queue.pending', { job: pending.job, at: timeText(pending.since) })}</p>
      <div class="buttons"><button type="button" class="small danger" aria-label=${`${t('queue.giveup')}: ${printer}`}
        onClick=${() => ask(giveUpQuestion(row, rowNow))}>${t('queue.giveup')}</button></div>`}
    ${outcomeWanted && html`<p>${t('queue.outcome', { job: group?.name ?? '' })} ${whyUnknown(group, printer)}</p>
      <div class="buttons">${['printed', 'not_printed'].map(one => html`<button type="button" class="small" key=${one}
        aria-label=${`${t(`queue.outcome.${one}`)}: ${printer}`}
        onClick=${() => ask(clearQuestion(row, rowNow, one))}>${t(`queue.outcome.${one}`)}</button>`)}</div>`}
  </div>`
}

function Plate ({ row, group, rowNow, ask, act }) {
  const { printer, plate, outcome_wanted: outcomeWanted, pending_start: pending } = row
  const clear = plate === 'clear'
  return html`<li class="row" data-printer=${printer}>
    <div class="row-main"><b>${printer}</b><small>${row.is_ready ? t('queue.ready') : wordsOf(row)}</small></div>
    <div class="row-end">
      ${clear && html`<b class="badge good"><${Icon} name="check" />${t(`queue.plate.${plate}`)}</b>`}
      ${isToClear(row) && html`<button type="button" aria-label=${`${t('queue.clear')}: ${printer}`}
        onClick=${() => ask(clearQuestion(row, rowNow, undefined))}>${t('queue.clear')}</button>`}
      <${Pause} row=${row} ask=${ask} act=${act} /></div>
    ${isStopped(row) && html`<${Stopped} row=${row} rowNow=${rowNow} ask=${ask} act=${act} />`}
    ${(pending || outcomeWanted) && html`<${Trouble} row=${row} group=${group} rowNow=${rowNow} ask=${ask} />`}
  </li>`
}

/** A folded list that exists only while it is open: a farm has hundreds of printers. */
function Folded ({ title, isOpen, children }) {
  const [open, setOpen] = useState(isOpen)
  return html`<details open=${open} onToggle=${({ target }) => setOpen(target.open)}><summary class="faint">${title}</summary>
    ${open && children()}</details>`
}

/** The first plates that someone has to look at are open; all others are folded. */
export function Plates ({ printers, groups, onClear, ...acts }) {
  const isWaiting = row => isToClear(row) || row.outcome_wanted || row.pending_start || isStopped(row)
  const isTrouble = row => Boolean(row.outcome_wanted || row.pending_start || isStopped(row))
  const waiting = printers.filter(isWaiting).sort((a, b) => Number(isTrouble(b)) - Number(isTrouble(a)))
  const others = printers.filter(row => !isWaiting(row))
  const count = waiting.filter(isToClear).length
  const rest = waiting.slice(FEW)
  const groupOf = ({ job }) => groups.find(({ runs }) => runs.some(run => run.job === job))
  const list = rows => html`<ul class="rows plates">${rows.map(row => html`<${Plate} key=${row.printer} row=${row}
    group=${row.job === '' ? undefined : groupOf(row)} ...${acts} />`)}</ul>`
  return html`<section class="card" aria-labelledby="plates-title">
    <header><h2 id="plates-title">${waiting.length > 0 ? t('queue.toclear', { count: waiting.length }) : t('queue.plates')}</h2>
      ${count > 1 && html`<button type="button" class="primary" onClick=${() => onClear(waiting.filter(isToClear))}>
        ${t('queue.clear.all', { count })}</button>`}</header>
    ${waiting.length > 0 && list(waiting.slice(0, FEW))}
    ${rest.length > 0 && html`<${Folded} title=${t('queue.plates.more', { count: rest.length })}>${() => list(rest)}<//>`}
    ${others.length > 0 && html`<${Folded} isOpen=${printers.length <= FEW} title=${t('queue.others', { count: others.length })}>
      ${() => list(others)}<//>`}
  </section>`
}
