// Drying plans: what they would do with each unit now, and what they did.

import { Dialog, html, Icon } from 'components'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, callerName, dateTime, follow, number, t } from 'shell'
import { unitName } from '../../shell/page/format.js'
import { ownZone, Plan } from './plan.js'

const DROP = 'M12 3c3.5 4.2 6 7.2 6 10.5a6 6 0 0 1-12 0C6 10.2 8.5 7.2 12 3z M9.5 14a2.5 2.5 0 0 0 2.5 2.5'

const sentence = (kind, { code, values }) => t(`drying.${kind}.${code}`, values)

/** What a plan does, in sentences, before somebody agrees to it. */
function Accept ({ plan, onClose, act }) {
  const accept = async () => {
    await act(() => call('POST', `drying_plans/${plan.id}/accept`, { revision: plan.revision }))
    onClose()
  }
  return html`<${Dialog} title=${t('drying.accept.title')} onClose=${onClose}>
    <p><b>${plan.name}</b></p>
    <ul class="means">${plan.consequences.map(said => html`<li key=${said.code}>${sentence('means', said)}</li>`)}</ul>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('drying.cancel')}</button>
      <button type="button" class="primary" onClick=${accept}>${t('drying.accept')}</button></div><//>`
}

/** A plan that is on goes on heating until it is gone, so nobody removes one by a slip. */
function Remove ({ plan, onClose, act }) {
  const remove = async () => {
    await act(() => call('DELETE', `drying_plans/${plan.id}`))
    onClose()
  }
  return html`<${Dialog} title=${t('drying.remove.name', { name: plan.name })} onClose=${onClose}>
    <p>${t('drying.remove.sure')}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('drying.cancel')}</button>
      <button type="button" class="danger" onClick=${remove}>${t('drying.remove')}</button></div><//>`
}

/** Hours of another zone than the reader's name it. */
const hoursText = ({ from, until, time_zone: zone }) => `${from}–${until}${zone === ownZone() ? '' : ` (${zone})`}`

function PlanRow ({ plan, act, onEdit, onRead, onRemove }) {
  const isOn = plan.accepted_by !== ''
  const due = [
    plan.materials.join(', '),
    plan.humidity_percent !== null && t('drying.from_humidity', { percent: number(plan.humidity_percent) }),
    plan.days !== null && t('drying.after_days', { count: plan.days }),
    plan.from !== '' && hoursText(plan)
  ].filter(Boolean)
  return html`<li class="row"><span class="row-main"><b>${plan.name}</b>
      <small>${[plan.printer || t('drying.field.printer.all'), ...due].join(' · ')}</small>
      ${isOn && html`<small>${t('drying.accepted', { by: callerName(plan.accepted_by), at: dateTime(plan.accepted_at) })}</small>`}</span>
    <b class=${isOn ? 'badge good' : 'badge'}>${t(isOn ? 'drying.on' : 'drying.off')}</b>
    <span class="row-end">${isOn
      ? html`<button type="button" class="small" onClick=${() => act(() => call('POST', `drying_plans/${plan.id}/withdraw`))}>${t('drying.withdraw')}</button>`
      : html`<button type="button" class="small primary" onClick=${onRead}>${t('drying.read')}</button>`}
      <button type="button" class="small" onClick=${onEdit}>${t('drying.change.short')}</button>
      <button type="button" class="small icon-only quiet" aria-label=${t('drying.remove.name', { name: plan.name })}
        onClick=${onRemove}><${Icon} name="close" /></button></span></li>`
}

const slotText = ({ material, limit_c: celsius }) => material === ''
  ? t('drying.slot.unknown')
  : t('drying.slot', { material, celsius: number(celsius) })

function Unit ({ unit, plans }) {
  const nameOf = id => plans.find(plan => plan.id === id)?.name ?? ''
  return html`<li class="row"><span class="row-main"><b>${unit.printer} · ${unitName(unit.unit)}</b>
    <small>${[unit.humidity_percent !== null && t('drying.humidity', { percent: number(unit.humidity_percent) }), ...new Set(unit.slots.map(slotText))].filter(Boolean).join(' · ')}</small>
    ${unit.plans.length === 0 && html`<small class="faint">${t('drying.now.no_plan')}</small>`}
    ${unit.plans.map(({ plan, starts, celsius, hours, reasons }) => html`<small key=${plan} class=${starts ? '' : 'faint'}>${starts
      ? t('drying.starts', { plan: nameOf(plan), celsius, hours })
      : t('drying.waits', { plan: nameOf(plan), reasons: reasons.map(said => sentence('why', said)).join('; ') })}</small>`)}</span></li>`
}

const OPEN = ['starting', 'drying', 'stopping']

/** The words of a reason; what a printer or an error said has none and is shown as it is. */
const reasonText = reason => {
  const words = t(`drying.why.${reason}`)
  return words === `drying.why.${reason}` ? reason : words
}

const Run = ({ run }) => html`<li class="row"><span class="row-main"><b>${run.printer} · ${unitName(run.unit)}</b>
    <small>${[t('drying.run', { hours: run.hours, celsius: run.celsius }), run.materials.join(', '), run.plan_name].filter(Boolean).join(' · ')}</small>
    <small>${[dateTime(run.began_at), run.ended_at !== null && dateTime(run.ended_at)].filter(Boolean).join(' – ')}</small>
    ${run.reason !== '' && html`<small>${reasonText(run.reason)}</small>`}</span>
  <b class=${run.state === 'finished' ? 'badge good' : OPEN.includes(run.state) ? 'badge' : 'badge warn'}>${t(`drying.state.${run.state}`)}</b></li>`

const REFRESH_MS = 60_000

function App () {
  const [body, setBody] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [dialog, setDialog] = useState(/** @type {{ name: 'edit' | 'read' | 'remove', plan?: any } | null} */ (null))
  const failed = error => setProblem(t('drying.failed', { reason: error.message }))
  const refresh = () => call('GET', 'drying_plans').then(setBody, failed)
  const act = async work => {
    setProblem('')
    await work().catch(failed)
    await refresh()
  }
  useEffect(() => {
    void refresh()
    const timer = setInterval(refresh, REFRESH_MS)
    const stop = follow({ topics: ['drying'], onMessage: ({ topic }) => { if (topic === 'drying') void refresh() }, onMissed: refresh })
    return () => {
      clearInterval(timer)
      stop?.()
    }
  }, [])
  const close = () => setDialog(null)
  const add = () => setDialog({ name: 'edit' })
  return html`<main class="page"><header class="page-head"><h1>${t('drying.title')}</h1><p class="lead">${t('drying.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${body && html`${body.plans.length === 0
      ? html`<section class="card empty"><svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${DROP} /></svg><h2>${t('drying.none')}</h2><p>${t('drying.none.text')}</p>
          <button type="button" class="primary" onClick=${add}>${t('drying.add')}</button></section>`
      : html`<section class="card" aria-labelledby="plans-title"><header><h2 id="plans-title">${t('drying.plans')}</h2>
          <button type="button" onClick=${add}>${t('drying.add')}</button></header>
        <ul class="rows">${body.plans.map(plan => html`<${PlanRow} key=${plan.id} plan=${plan} act=${act} onEdit=${() => setDialog({ name: 'edit', plan })}
          onRead=${() => setDialog({ name: 'read', plan })} onRemove=${() => setDialog({ name: 'remove', plan })} />`)}</ul></section>`}
    <div class="sides"><section class="card" aria-labelledby="now-title"><header><h2 id="now-title">${t('drying.now')}</h2></header>
      ${body.units.length === 0 && html`<p class="boot">${t('drying.now.none')}</p>`}
      <ul class="rows">${body.units.map(unit => html`<${Unit} key=${`${unit.printer} ${unit.unit}`} unit=${unit} plans=${body.plans} />`)}</ul></section>
    <section class="card" aria-labelledby="runs-title"><header><h2 id="runs-title">${t('drying.history')}</h2></header>
      ${body.runs.length === 0 && html`<p class="boot">${t('drying.history.none')}</p>`}
      <ul class="rows">${body.runs.map(run => html`<${Run} key=${run.id} run=${run} />`)}</ul></section></div>
    ${dialog?.name === 'edit' && html`<${Plan} plan=${dialog.plan} printers=${[...new Set(body.units.map(({ printer }) => printer))]}
      onClose=${close} onDone=${refresh} />`}
    ${dialog?.name === 'remove' && html`<${Remove} plan=${dialog.plan} act=${act} onClose=${close} />`}
    ${dialog?.name === 'read' && html`<${Accept} plan=${dialog.plan} act=${act} onClose=${close} />`}`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('drying'))
place.replaceChildren()
render(html`<${App} />`, place)
