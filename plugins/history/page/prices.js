// What filament costs: a price for the kilogram of each material.

import { Dialog } from 'components'
import { call, hasPage, linkTo, number, t } from 'shell'
import { grams, html, useAnswer, useState } from './lib.js'

const MOST = 64
const money = value => number(value, { minimumFractionDigits: 0, maximumFractionDigits: 2 })

/** Priced materials first, then those that were printed. @param {any} view */
function rowsOf ({ prices, materials }) {
  const printed = new Map(materials.map(one => [one.material, one]))
  const priced = new Map(prices.map(({ material, price }) => [material, price]))
  const names = [...new Set([...priced.keys(), ...printed.keys()])]
  return names.map((material, key) => ({
    key, material, price: priced.get(material) ?? '', grams: printed.get(material)?.grams ?? 0, unpriced: printed.get(material)?.unpriced ?? 0
  }))
}

const Row = ({ row: { key, material, price, grams: used }, problem, onDrop }) => html`<li class="price" key=${key}>
  ${material === undefined
    ? html`<label class="what"><span class="hidden">${t('history.prices.material')}</span><input name=${`material-${key}`} maxlength="64" autocomplete="off"
        placeholder=${t('history.prices.material')} aria-invalid=${String(problem !== '')} />
        ${problem !== '' && html`<small class="problem" role="alert">${problem}</small>`}</label>`
    : html`<span class="what"><b>${material}</b>${used > 0 && html`<small class="faint">${t('history.prices.printed', { grams: grams(used) })}</small>`}</span>`}
  <label class="amount"><span class="hidden">${t('history.prices.of', { material: material ?? t('history.prices.other') })}</span>
    <input type="number" name=${`price-${key}`} min="0" max="1000000" step="any" inputmode="decimal" defaultValue=${price} placeholder="–" />
    <small class="faint" aria-hidden="true">${t('history.prices.kilogram')}</small></label>
  ${material === undefined && html`<button type="button" class="small quiet" aria-label=${t('history.prices.drop')} onClick=${onDrop}>×</button>`}</li>`

/** @param {FormData} form @param {any[]} rows */
function pricesIn (form, rows) {
  return rows.flatMap(({ key, material }) => {
    const name = material ?? String(form.get(`material-${key}`) ?? '').trim()
    const price = String(form.get(`price-${key}`) ?? '')
    if (price === '' && (material !== undefined || name === '')) return []
    return [{ key, material: name, price: price === '' ? undefined : Number(price) }]
  })
}

/**
 * Words for rows that cannot be saved, by key.
 * @param {{ key: number, material: string, price?: number | undefined }[]} given
 */
function problemsIn (given) {
  const problems = new Map()
  for (const { key, material, price } of given) {
    if (material === '') problems.set(key, t('history.prices.material.missing'))
    else if (price === undefined) problems.set(key, t('history.prices.price.missing'))
    else if (given.some(other => other.key < key && other.material === material)) problems.set(key, t('history.prices.material.twice'))
  }
  return problems
}

function PricesDialog ({ view, onClose, onDone }) {
  const [rows, setRows] = useState(() => rowsOf(view))
  const [problems, setProblems] = useState(new Map())
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const unpriced = view.materials.reduce((sum, one) => sum + one.unpriced, 0)
  const save = async event => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const given = pricesIn(form, rows)
    const wrong = problemsIn(given)
    setProblems(wrong)
    if (runs || wrong.size > 0) return
    setRuns(true)
    try {
      await call('PATCH', 'history/prices', {
        prices: given.map(({ material, price }) => ({ material, price })), earlier: form.get('earlier') !== null
      }, { waitMs: 120_000 })
      onClose()
      onDone()
    } catch (error) {
      setProblem(t('history.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  const add = () => setRows([...rows, { key: rows.length === 0 ? 0 : Math.max(...rows.map(({ key }) => key)) + 1, material: undefined, price: '', grams: 0, unpriced: 0 }])
  return html`<${Dialog} title=${t('history.prices')} onClose=${onClose}><form class="ask" onSubmit=${save}
    onInput=${() => { if (problems.size > 0) setProblems(new Map()) }}>
    <p class="faint">${t('history.prices.hint')}</p>
    <ul class="price-rows">${rows.map(row => html`<${Row} key=${row.key} row=${row} problem=${problems.get(row.key) ?? ''}
      onDrop=${() => setRows(rows.filter(({ key }) => key !== row.key))} />`)}</ul>
    <div class="buttons"><button type="button" class="small" disabled=${rows.length >= MOST} onClick=${add}>${t('history.prices.add')}</button></div>
    ${unpriced > 0 && html`<label class="check"><input type="checkbox" name="earlier" defaultChecked=${view.prices.length === 0} />
      <span>${t('history.prices.earlier')}</span></label>`}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('history.no')}</button>
      <button class="primary" disabled=${runs}>${t('history.prices.save')}</button></div>
  </form><//>`
}

/** @param {{ onDone: () => void }} props called after a change, which may change what prints cost */
export function Prices ({ onDone }) {
  const [turn, setTurn] = useState(0)
  const [open, setOpen] = useState(false)
  const { body: view } = useAnswer(() => call('GET', 'history/prices'), String(turn))
  if (!view) return null
  const { origin, prices, may_change: mayChange } = view
  return html`<section class="card" aria-labelledby="prices-title">
    <header><h2 id="prices-title">${t('history.prices')}</h2>${mayChange && origin !== 'file' &&
      html`<button type="button" class="small" onClick=${() => setOpen(true)}>${t(prices.length === 0 ? 'history.prices.set' : 'history.prices.edit')}</button>`}</header>
    ${prices.length === 0
      ? html`<p class="faint">${t('history.prices.none')}</p>`
      : html`<dl class="priced">${prices.map(({ material, price }) => html`<div key=${material}><dt>${material}</dt><dd>${money(price)}</dd></div>`)}</dl>`}
    ${origin === 'file' && html`<p class="note">${t('history.prices.file')}</p>`}
    <small class="faint">${prices.length > 0 && t('history.prices.unit')}${hasPage('energy') && html` <a href=${linkTo('energy')}>${t('history.prices.energy')}</a>`}</small>
    ${open && html`<${PricesDialog} view=${view} onClose=${() => setOpen(false)} onDone=${() => { setTurn(turn + 1); onDone() }} />`}
  </section>`
}
