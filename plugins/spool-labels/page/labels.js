// The page that prints labels: which spools, on which paper, from which label on.

import { html } from 'components'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, linkTo, t } from 'shell'
import { spoolFilament, spoolName } from './spool-name.js'

const PREVIEW_DPI = 96
/** Small labels are shown larger than they are. */
const SINGLE_DPI = 250
const PAUSE_MS = 250
const LOCAL = /^(localhost|127\.[\d.]+|\[::1\])$/

const isSingle = ({ columns, rows }) => columns * rows === 1

const addressOf = (choice, more = {}) => `${new URL('../api/spool_labels', location.href).pathname}?${new URLSearchParams({
  ids: choice.ids.join(','), sheet: choice.sheet.id, start: String(choice.start), ...more
})}`

function Spools ({ spools, chosen, onChoose }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = spools.filter(spool => `${spoolName(spool)} ${spoolFilament(spool)} ${spool.id}`.toLowerCase().includes(wanted))
  const toggle = id => onChoose(chosen.includes(id) ? chosen.filter(one => one !== id) : [...chosen, id])
  return html`<section class="card" aria-labelledby="choose-title"><header><h2 id="choose-title">${t('spool-labels.choose')}</h2>
      <span class="buttons"><button type="button" class="small" onClick=${() => onChoose(spools.map(({ id }) => id))}>${t('spool-labels.all')}</button>
        <button type="button" class="small" onClick=${() => onChoose([])}>${t('spool-labels.clear')}</button></span></header>
    <input type="search" placeholder=${t('spool-labels.search')} aria-label=${t('spool-labels.search')} value=${text}
      onInput=${({ target }) => setText(target.value)} />
    <ul class="choices" tabindex="0" aria-labelledby="choose-title">${shown.map(spool => html`<li key=${spool.id}><label class="choice">
      <input type="checkbox" checked=${chosen.includes(spool.id)} onChange=${() => toggle(spool.id)} />
      <svg class="dot" viewBox="0 0 20 20" aria-hidden="true"><circle cx="10" cy="10" r="9" fill=${spool.color || 'none'} /></svg>
      <span><b>${spoolName(spool)}</b> <small class="faint">${spoolFilament(spool)}</small></span></label></li>`)}</ul>
    ${shown.length === 0 && html`<p class="faint">${t('spool-labels.nothing')}</p>`}</section>`
}

/** The sheet as buttons, to touch the first label that is still on it. */
const Start = ({ sheet, start, onStart }) => html`<fieldset class="start"><legend>${t('spool-labels.start')}</legend>
  <p class="faint">${t('spool-labels.start.hint')}</p>
  <div class=${`positions of-${sheet.columns}`}>${Array.from({ length: sheet.columns * sheet.rows }, (_, at) => html`<button
    type="button" key=${at} class=${at + 1 < start ? 'position used' : 'position'} aria-pressed=${at + 1 === start ? 'true' : 'false'}
    aria-label=${t('spool-labels.position', { number: at + 1 })} onClick=${() => onStart(at + 1)}>${at + 1}</button>`)}</div></fieldset>`

const Paper = ({ sheets, choice, onSheet, onStart }) => html`<section class="card" aria-labelledby="paper-title">
  <header><h2 id="paper-title">${t('spool-labels.paper')}</h2></header>
  <label class="field"><span>${t('spool-labels.sheet')}</span><select value=${choice.sheet.id}
    onChange=${({ target }) => onSheet(sheets.find(({ id }) => id === target.value))}>
    ${sheets.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select></label>
  ${!isSingle(choice.sheet) && html`<${Start} sheet=${choice.sheet} start=${choice.start} onStart=${onStart} />`}</section>`

/** @param {{ choice: any, address: string }} props the picture follows a moment after the last change */
function Preview ({ choice, address }) {
  const [page, setPage] = useState(1)
  const [shown, setShown] = useState('')
  const perPage = choice.sheet.columns * choice.sheet.rows
  const pages = Math.max(1, Math.ceil((choice.ids.length + choice.start - 1) / perPage))
  const current = Math.min(page, pages)
  const isEmpty = choice.ids.length === 0
  const dpi = String(isSingle(choice.sheet) ? SINGLE_DPI : PREVIEW_DPI)
  const picture = isEmpty ? '' : addressOf(choice, { format: 'png', page: String(current), dpi, outlines: 'true' })
  useEffect(() => {
    const timer = setTimeout(() => setShown(picture), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [picture])
  const isLocal = LOCAL.test(new URL(address).hostname)
  return html`<section class="card preview" aria-labelledby="preview-title"><header><h2 id="preview-title">${t('spool-labels.preview')}</h2>
      ${pages > 1 && html`<span class="buttons"><button type="button" class="small icon-only" disabled=${current === 1} aria-label=${t('spool-labels.previous')}
        onClick=${() => setPage(current - 1)}>‹</button><span>${t('spool-labels.page', { page: current, pages })}</span>
        <button type="button" class="small icon-only" disabled=${current === pages} aria-label=${t('spool-labels.next')} onClick=${() => setPage(current + 1)}>›</button></span>`}</header>
    ${isEmpty
      ? html`<p class="faint">${t('spool-labels.empty')}</p>`
      : html`${shown !== '' && html`<img class="sheet" src=${shown} alt=${t('spool-labels.picture', { page: current, pages })} />`}
        <p class="faint">${t('spool-labels.scale')}</p>
        <p class=${isLocal ? 'warn' : 'faint'}>${t(isLocal ? 'spool-labels.address.local' : 'spool-labels.address', { address })}</p>
        <div class="buttons end"><a class="button" download href=${addressOf(choice, { format: 'png', page: String(current) })}>${t('spool-labels.png')}</a>
          <a class="button primary" download="labels.pdf" href=${addressOf(choice)}>${t('spool-labels.pdf')}</a></div>`}</section>`
}

const Nothing = () => html`<section class="card empty"><h2>${t('spool-labels.none')}</h2><p>${t('spool-labels.none.why')}</p>
  <a class="button primary" href=${linkTo('spools')}>${t('spool-labels.toSpools')}</a></section>`

/** The spools named in the address, else all. */
function chosenAtFirst (spools) {
  const named = (new URL(location.href).searchParams.get('ids') ?? '').split(',')
  const found = spools.map(({ id }) => id).filter(id => named.includes(id))
  return found.length > 0 ? found : spools.map(({ id }) => id)
}

function App () {
  const [known, setKnown] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const [choice, setChoice] = useState(/** @type {any} */ (undefined))
  useEffect(() => {
    Promise.all([call('GET', 'spools'), call('GET', 'spool_labels/sheets')]).then(([{ spools }, { address, sheets, unprintable }]) => {
      setKnown({ address, spools, sheets, unprintable })
      setChoice({ ids: chosenAtFirst(spools), sheet: sheets[0], start: 1 })
    }, error => setProblem(t('spool-labels.failed', { reason: error.message })))
  }, [])
  const letters = known && choice ? known.unprintable.filter(({ spool }) => choice.ids.includes(spool)).map(one => one.letters).join('') : ''
  return html`<main class="page"><header class="page-head"><h1>${t('spool-labels.title')}</h1><p class="lead">${t('spool-labels.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${known?.spools.length === 0 && html`<${Nothing} />`}
    ${letters !== '' && html`<p class="warn" role="status">${t('spool-labels.unprintable', { letters: [...new Set(letters)].join(' ') })}</p>`}
    ${known?.spools.length > 0 && html`<div class="desk"><div class="choose">
      <${Spools} spools=${known.spools} chosen=${choice.ids} onChoose=${ids => setChoice({ ...choice, ids })} />
      <${Paper} sheets=${known.sheets} choice=${choice} onSheet=${sheet => setChoice({ ...choice, sheet, start: 1 })}
        onStart=${start => setChoice({ ...choice, start })} /></div>
      <${Preview} choice=${choice} address=${known.address} /></div>`}</main>`
}

const place = /** @type {any} */ (document.getElementById('spool-labels'))
place.replaceChildren()
render(html`<${App} />`, place)
