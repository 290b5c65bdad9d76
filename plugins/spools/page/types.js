// Types of spools: what is the same on every spool of one kind.

import { call, filamentName, number, t } from 'shell'
import { Field, FormDialog, html, money, useState } from './lib.js'

/** Members that are numbers, each with the largest value that makes sense. */
const NUMBERS = [['net_g', 100_000], ['empty_g', 100_000], ['density', 25], ['price', 1_000_000], ['nozzle_min_c', 500],
  ['nozzle_max_c', 500], ['bed_c', 200], ['dry_c', 200], ['dry_hours', 200]]
const TEXTS = [['brand', 60, true], ['line', 80, false], ['material', 40, true], ['color_name', 60, false], ['currency', 3, false],
  ['notes', 1_000, false]]

const titleOf = ({ brand, line, material, color_name: color }) => [brand, line || material, color].filter(Boolean).join(' ')

/** @param {HTMLFormElement} form */
function valuesOf (form) {
  const data = new FormData(form)
  const text = name => String(data.get(name) ?? '').trim()
  return {
    ...Object.fromEntries(TEXTS.map(([name]) => [name, name === 'currency' ? text(name).toUpperCase() : text(/** @type {string} */ (name))])),
    ...Object.fromEntries(NUMBERS.map(([name]) => [name, text(name) === '' ? null : Number(text(name))]))
  }
}

function TypeDialog ({ type, act, onClose }) {
  const send = async form => {
    await call('PATCH', 'spools/types', { id: type.id, ...valuesOf(form) })
    await act(async () => {})
  }
  return html`<${FormDialog} wide title=${titleOf(type)} yes=${t('spools.save')} onSend=${send} onClose=${onClose}><div class="fields">
    ${TEXTS.map(([name, most, isNeeded]) => html`<${Field} key=${name} label=${t(`spools.type.${name}`)}>
      <input name=${name} maxlength=${most} required=${isNeeded} defaultValue=${type[/** @type {string} */ (name)]} /><//>`)}
    ${NUMBERS.map(([name, most]) => html`<${Field} key=${name} label=${t(`spools.type.${name}`)}>
      <input type="number" name=${name} min="0" max=${most} step="any" defaultValue=${type[name] ?? ''} /><//>`)}
  </div><//>`
}

const factsOf = ({ material, colors, net_g: net, empty_g: empty, price, currency }, count) => [
  filamentName(material, colors),
  net !== null && t('spools.grams', { grams: number(net) }),
  empty !== null && t('spools.types.empty', { grams: number(empty) }),
  price !== null && money(price, currency),
  t('spools.count', { count: number(count) })
].filter(Boolean).join(' · ')

export function Types ({ inventory, isOurs, act }) {
  const [edited, setEdited] = useState(/** @type {any} */ (null))
  const types = inventory.types.filter(({ archived }) => !archived).sort((a, b) => titleOf(a).localeCompare(titleOf(b)))
  const countOf = id => inventory.spools.filter(({ type, archived }) => type === id && !archived).length
  const archive = ({ id }) => act(() => call('PATCH', 'spools/types', { id, archived: true }))
  return html`<section class="card" aria-labelledby="types-title"><header><h2 id="types-title">${t('spools.view.types')}</h2></header>
    <p class="faint">${t(types.length === 0 ? 'spools.types.none' : 'spools.types.why')}</p>
    <ul class="rows">${types.map(type => html`<li class="row" key=${type.id}>
      <span class="row-main"><b>${titleOf(type)}</b><small>${factsOf(type, countOf(type.id))}</small></span>
      ${isOurs && html`<span class="row-end">
        <button type="button" class="small" aria-label=${t('spools.change', { name: titleOf(type) })} onClick=${() => setEdited(type)}>${t('spools.change.short')}</button>
        ${countOf(type.id) === 0 && html`<button type="button" class="small quiet" onClick=${() => archive(type)}>${t('spools.types.archive')}</button>`}</span>`}</li>`)}</ul>
    ${edited && html`<${TypeDialog} type=${edited} act=${act} onClose=${() => setEdited(null)} />`}</section>`
}
