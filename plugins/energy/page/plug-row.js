// One plug: its state, what it counted today, and its switch.

import { call, t } from 'shell'
import { unitName } from '../../shell/page/format.js'
import { Dialog, energyText, html, moneyText, problemText, staysText, useState, wattsText } from './lib.js'

function Badge ({ plug: { is_lost: isLost, is_on: isOn } }) {
  if (isLost) return html`<span class="badge bad">${t('energy.lost')}</span>`
  if (isOn === null) return html`<span class="badge">${t('energy.unknown')}</span>`
  return isOn ? html`<span class="badge good">${t('energy.on')}</span>` : html`<span class="badge">${t('energy.off')}</span>`
}

/** What it does by itself, and why it stays on. */
function Notes ({ plug }) {
  const { problem, stays, is_driven: isDriven, on_for_jobs: forJobs, off_after_min: minutes } = plug
  const { counted_by: by, is_on: isOn, waits_for_person: byPerson } = plug
  const own = [...forJobs ? [t('energy.forJobs')] : [], ...minutes === null ? [] : [t('energy.afterIdle', { minutes })]]
  return html`${own.length > 0 && html`<small>${own.join(' · ')}</small>`}
    ${byPerson && html`<small>${t('energy.byPerson')}</small>`}
    ${by === 'power' && html`<small>${t('energy.estimated')}</small>`}
    ${!isDriven && html`<small>${t('energy.elsewhere')}</small>`}
    ${stays !== null && isOn !== false && html`<small>${t('energy.stays', { reason: staysText(stays) })}</small>`}
    ${problem !== '' && html`<small class="problem">${problem}</small>`}`
}

/**
 * @param {{ plug: any, currency: string, setup: any, onEdit: (plug: any) => void, onDone: () => Promise<void> }} props
 */
export function PlugRow ({ plug, currency, setup, onEdit, onDone }) {
  const [said, setSaid] = useState({ text: '', tone: '' })
  const [asks, setAsks] = useState('')
  const { id, name, watts, today_wh: wh, today_cost: cost, is_on: isOn, kind, unit, belongs } = plug
  const { stays, is_driven: isDriven } = plug
  const turn = async on => {
    setAsks('')
    setSaid({ text: t('energy.switching'), tone: '' })
    try {
      await call('POST', `energy/plugs/${on ? 'on' : 'off'}`, { id }, { waitMs: 60_000 })
      setSaid({ text: t(on ? 'energy.switched.on' : 'energy.switched.off'), tone: 'good' })
    } catch (error) {
      setSaid({ text: problemText(error), tone: 'bad' })
    }
    await onDone()
  }
  const remove = async () => {
    setAsks('')
    try {
      await call('DELETE', 'energy/plugs', { id })
    } catch (error) {
      setSaid({ text: problemText(error), tone: 'bad' })
    }
    await onDone()
  }
  const what = belongs === 'dryer' ? t('energy.dryer', { unit: unitName(unit) }) : t(`energy.kind.${kind}`)
  const price = cost > 0 ? ` · ${moneyText(cost, currency)}` : ''
  return html`<li class="row plug"><div class="row-main"><b>${name}</b><small>${what}</small><${Notes} plug=${plug} /></div>
    <div class="power"><b>${watts === null ? '–' : wattsText(watts)}</b><small>${t('energy.today', { energy: energyText(wh) })}${price}</small></div>
    <div class="row-end"><${Badge} plug=${plug} />
      ${isDriven && isOn !== true && html`<button type="button" class="small" aria-label=${t('energy.turnOn.of', { name })} onClick=${() => turn(true)}>${t('energy.turnOn')}</button>`}
      ${isDriven && isOn !== false && html`<button type="button" class="small" aria-label=${t('energy.turnOff.of', { name })} disabled=${stays !== null}
        onClick=${() => setAsks('off')}>${t('energy.turnOff')}</button>`}
      ${setup && html`<button type="button" class="small" aria-label=${t('energy.edit.of', { name })} onClick=${() => onEdit(plug)}>${t('energy.edit')}</button>
        <button type="button" class="small quiet" aria-label=${t('energy.remove.ask', { name })} onClick=${() => setAsks('remove')}>${t('energy.remove')}</button>`}</div>
    <p class=${`note ${said.tone}`} role="status" hidden=${said.text === ''}>${said.text}</p>
    ${asks !== '' && html`<${Dialog} title=${t(asks === 'off' ? 'energy.turnOff.ask' : 'energy.remove.ask', { name })} onClose=${() => setAsks('')}>
      <p>${t(asks === 'off' ? 'energy.turnOff.sure' : 'energy.remove.sure')}</p>
      <div class="buttons end"><button type="button" onClick=${() => setAsks('')}>${t('energy.cancel')}</button>
        <button type="button" class="danger" onClick=${() => asks === 'off' ? turn(false) : remove()}>${t(asks === 'off' ? 'energy.turnOff' : 'energy.remove')}</button></div><//>`}
  </li>`
}
