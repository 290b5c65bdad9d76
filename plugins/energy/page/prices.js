// What energy costs, by hour and weekday.

import { call, number, t } from 'shell'
import { Dialog, Field, html, moneyText, problemText, useState } from './lib.js'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone
const LATE = { days: DAYS, from: '22:00', to: '06:00', price: '' }

const daysText = days => days.length === DAYS.length ? '' : days.map(day => t(`energy.day.${day}`)).join(' ')

const hoursText = (from, to) => from === to ? t('energy.prices.whole') : `${from}–${to}`

/** @param {{ prices: any, canEdit: boolean, onEdit: () => void }} props */
export const Prices = ({ prices: { price, windows, currency }, canEdit, onEdit }) => html`<section class="card" aria-labelledby="prices-title">
  <header><h2 id="prices-title">${t('energy.prices')}</h2>
    ${canEdit && html`<button type="button" class="small" onClick=${onEdit}>${t('energy.prices.edit')}</button>`}</header>
  ${price === null && windows.length === 0
    ? html`<p class="faint">${t('energy.prices.none')}</p>`
    : html`<dl class="prices">${windows.map(({ days, from, to, price: own }) => html`<div><dt>${daysText(days)} ${hoursText(from, to)}</dt>
        <dd>${moneyText(own, currency)}</dd></div>`)}
        <div><dt>${t(windows.length > 0 ? 'energy.prices.other' : 'energy.prices.price')}</dt><dd>${price === null ? '–' : moneyText(price, currency)}</dd></div></dl>`}
</section>`

function Window ({ window, at, onDrop }) {
  const title = t('energy.prices.window', { number: at + 1 })
  return html`<fieldset class="window"><legend>${title}</legend>
    <div class="days">${DAYS.map(day => html`<label class="day"><input type="checkbox" name=${`days-${window.key}`} value=${day}
      defaultChecked=${window.days.includes(day)} /> ${t(`energy.day.${day}`)}</label>`)}</div>
    <div class="times">
      <${Field} label=${t('energy.prices.from')}><input type="time" name=${`from-${window.key}`} required defaultValue=${window.from} /><//>
      <${Field} label=${t('energy.prices.to')}><input type="time" name=${`to-${window.key}`} required defaultValue=${window.to} /><//>
      <${Field} label=${t('energy.prices.price')}><input type="number" name=${`price-${window.key}`} min="0" max="1000" step="any" required
        defaultValue=${window.price} /><//>
      <button type="button" class="small quiet" aria-label=${t('energy.prices.drop', { number: at + 1 })} onClick=${onDrop}>${t('energy.remove')}</button></div>
  </fieldset>`
}

/** @param {{ prices: any, onClose: () => void, onDone: () => Promise<void> }} props */
export function PricesDialog ({ prices, onClose, onDone }) {
  const [windows, setWindows] = useState(() => prices.windows.map((window, key) => ({ ...window, key })))
  const [problem, setProblem] = useState('')
  const zone = prices.time_zone ?? ownZone()
  const add = () => setWindows([...windows, { ...LATE, key: Math.max(-1, ...windows.map(({ key }) => key)) + 1 }])
  const save = async event => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const price = String(form.get('price') ?? '')
    try {
      await call('PATCH', 'energy/prices', {
        currency: String(form.get('currency') ?? '').trim(),
        price: price === '' ? null : Number(price),
        windows: windows.map(({ key }) => ({
          days: form.getAll(`days-${key}`), from: form.get(`from-${key}`), to: form.get(`to-${key}`), price: Number(form.get(`price-${key}`))
        })),
        time_zone: zone
      })
      onClose()
      await onDone()
    } catch (error) {
      setProblem(problemText(error))
    }
  }
  return html`<${Dialog} title=${t('energy.prices')} onClose=${onClose}><form class="edit" onSubmit=${save}>
    <div class="fields"><${Field} label=${t('energy.prices.price')}><input type="number" name="price" min="0" max="1000" step="any"
        defaultValue=${prices.price ?? ''} placeholder=${number(0.3)} /><//>
      <${Field} label=${t('energy.prices.currency')}><input name="currency" maxlength="8" autocomplete="off" defaultValue=${prices.currency} placeholder="€" /><//></div>
    <h3>${t('energy.prices.windows')}</h3>
    ${windows.map((window, at) => html`<${Window} key=${window.key} window=${window} at=${at}
      onDrop=${() => setWindows(windows.filter(({ key }) => key !== window.key))} />`)}
    ${windows.length > 0 && html`<small class="faint">${t('energy.prices.windows.hint')} ${t('energy.prices.zone', { zone })}</small>`}
    <div class="buttons"><button type="button" class="small" disabled=${windows.length >= 24} onClick=${add}>${t('energy.prices.add')}</button></div>
    <p class="note bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('energy.cancel')}</button><button class="primary">${t('energy.save')}</button></div>
  </form><//>`
}
