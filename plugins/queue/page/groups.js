// Groups of printers: the hours in which prints start, the time between starts, and plates that clear themselves.

import { Dialog } from 'components'
import { call, hasPage, linkTo, number, shell, t } from 'shell'
import { GroupDialog, refusalText } from './group-dialog.js'
import { html, Icon, render, useEffect, useState } from './lib.js'
import { Warming } from './warming.js'
import { Week } from './week.js'

const REFRESH_MS = 30_000
const FEW = 8

/** A time of today by the clock, of the next days with the day. @param {number} ms @param {string} zone */
function timeText (ms, zone) {
  const day = at => new Date(at).toLocaleDateString('en', { timeZone: zone })
  const time = new Date(ms).toLocaleTimeString(shell.language, { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  if (day(ms) === day(Date.now())) return time
  return `${new Date(ms).toLocaleDateString(shell.language, { timeZone: zone, weekday: 'short' })} ${time}`
}

/** The clock of the machine, which is not always that of the reader. @param {string} zone */
const clockIn = zone => new Date().toLocaleTimeString(shell.language, { timeZone: zone, hour: '2-digit', minute: '2-digit' })

function State ({ group: { is_paused: isPaused, is_open: isOpen, changes_at: at, hours }, zone }) {
  if (isPaused) return html`<span class="badge warn">${t('groups.paused')}</span>`
  if (hours === null) return ''
  const time = at === null ? '' : timeText(at, zone)
  return html`<span class=${`badge ${isOpen ? 'good' : ''}`}>${t(isOpen ? 'groups.open' : 'groups.closed', { time })}</span>`
}

const Printers = ({ names, known }) => html`<ul class="members">${names.slice(0, FEW).map(name => html`<li key=${name}
    class=${`badge${known.includes(name) ? '' : ' warn'}`}>${known.includes(name) ? name : t('groups.gone', { printer: name })}</li>`)}
  ${names.length > FEW && html`<li class="faint">${t('groups.more', { count: names.length - FEW })}</li>`}
  ${names.length === 0 && html`<li class="faint">${t('groups.printers.none')}</li>`}</ul>`

const minutesText = seconds => seconds % 60 === 0 ? t('groups.minutes', { count: seconds / 60, minutes: number(seconds / 60) }) : t('groups.seconds', { seconds: number(seconds) })

const stopText = count => count === 0 ? t('groups.stop.never') : t('groups.stop.is', { count })

function Group ({ group, view, canChange, open }) {
  const { name, hours, printers, strangers, spacing_s: spacing, self_clearing: clearsItself, jobs } = group
  const { stop_after_failures: stopAfter } = group
  return html`<section class="card group" aria-label=${name}>
    <header><h2>${name}</h2><${State} group=${group} zone=${view.time_zone} /></header>
    <${Printers} names=${printers} known=${view.printers} />
    ${strangers.length > 0 && html`<p class="note warn">${t('groups.strangers', { printers: strangers.join(', ') })}</p>`}
    ${hours === null ? html`<p class="faint">${t('groups.anytime')}</p>` : html`<${Week} hours=${hours} zone=${view.time_zone} />`}
    ${spacing > 0 && html`<p>${t('groups.spacing.is', { time: minutesText(spacing) })}</p>`}
    ${stopAfter !== null && html`<p>${stopText(stopAfter)}</p>`}
    ${clearsItself && html`<p class="note warn">${t('groups.clears')}</p>`}
    ${jobs > 0 && html`<p class="faint">${t('groups.jobs', { count: jobs })}</p>`}
    ${canChange && html`<div class="buttons end"><button type="button" class="small quiet" aria-label=${`${t('groups.remove')}: ${name}`}
        onClick=${() => open({ removing: group })}>${t('groups.remove')}</button>
      <button type="button" class="small" aria-label=${`${t('groups.edit')}: ${name}`} onClick=${() => open({ group })}>${t('groups.edit')}</button></div>`}
  </section>`
}

/** Says beforehand what stands in its way. */
function Remove ({ group: { name, stays, jobs }, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const send = async event => {
    event.preventDefault()
    try {
      await call('DELETE', 'queue/groups', { name })
      onClose()
      await onDone()
    } catch (error) {
      setProblem(refusalText(error))
    }
  }
  return html`<${Dialog} title=${t('groups.remove.title', { name })} onClose=${onClose}><form onSubmit=${send}>
    <p class=${stays === null ? '' : 'note warn'}>${stays === null ? t('groups.remove.sure') : t(`groups.stays.${stays}`, { count: jobs })}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('groups.cancel')}</button>
      <button class="danger" disabled=${stays !== null}>${t('groups.remove')}</button></div>
  </form><//>`
}

const Empty = ({ canChange, onAdd }) => html`<section class="card"><div class="empty"><${Icon} name="queue" /><h2>${t('groups.none')}</h2>
  <p>${t('groups.none.text')}</p>
  ${canChange && html`<button type="button" class="primary" onClick=${onAdd}>${t('groups.add')}</button>`}</div></section>`

function useGroups () {
  const [state, setState] = useState(/** @type {{ view?: any, problem: string }} */ ({ problem: '' }))
  const refresh = async () => {
    try {
      setState({ view: await call('GET', 'queue/groups'), problem: '' })
    } catch (error) {
      const problem = t('groups.failed', { reason: /** @type {Error} */ (error).message })
      setState(({ view }) => ({ view, problem }))
    }
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(() => { if (!document.hidden) void refresh() }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return { ...state, refresh }
}

function App () {
  const { view, problem, refresh } = useGroups()
  const [dialog, open] = useState(/** @type {any} */ ({}))
  if (!view) return html`<main class="page"><h1>${t('groups.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const { origin, groups, may_change: mayChange, time_zone: zone } = view
  const canChange = mayChange && origin !== 'file'
  const close = () => open({})
  const add = () => open({ adding: true })
  return html`<main class="page">
    <header class="page-head"><h1>${t('groups.title')}</h1><span class="space" />
      ${canChange && groups.length > 0 && html`<button type="button" class="primary" onClick=${add}>${t('groups.add')}</button>`}
      <p class="lead">${t('groups.lead')} ${hasPage('queue') && html`<a href=${linkTo('queue')}>${t('queue.title')}</a>`}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${origin === 'file' && html`<p class="note">${t('groups.file')}</p>`}
    ${groups.length === 0
      ? html`<${Empty} canChange=${canChange} onAdd=${add} />`
      : html`<div class="groups">${groups.map(group => html`<${Group} key=${group.name} group=${group} view=${view} canChange=${canChange} open=${open} />`)}</div>
        <p class="faint">${t('groups.zone', { zone, time: clockIn(zone) })}</p>`}
    <${Warming} />
    ${(dialog.adding || dialog.group) && html`<${GroupDialog} group=${dialog.group} view=${view} onClose=${close} onDone=${refresh} />`}
    ${dialog.removing && html`<${Remove} group=${dialog.removing} onClose=${close} onDone=${refresh} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('groups'))
place.replaceChildren()
render(html`<${App} />`, place)
