import { PrinterDrawing } from 'printer-drawing'
import { call, hasPage, linkTo, shell, t } from 'shell'
import { ActDialog } from './act-dialog.js'
import { ACTS } from './acts.js'
import { Filters } from './filters.js'
import { filtered, sorted } from './fleet-model.js'
import { html, Icon, render, useEffect, useMemo, useState } from './lib.js'
import { Tile } from './tile.js'
import { usePrinters } from './use-printers.js'

const REFRESH_MS = 60_000
const VIEW = 'prnd-fleet-view'

/** Spools of the drawing before the first printer. */
const INVITING = ['#e8503a', '#f3b33d', '#3f8ae0', '#2c2f36'].map(color => ({ color }))

const USUAL = { wall: false, dense: false }

const readView = () => {
  try { return { ...USUAL, ...JSON.parse(localStorage.getItem(VIEW) ?? '{}') } } catch { return USUAL }
}
/** The browser may forbid storage. */
const storeView = view => { try { localStorage.setItem(VIEW, JSON.stringify(view)) } catch {} }

/** Conflicts between the services of a fleet, such as two printers with the same name. */
function useProblems () {
  const [problems, setProblems] = useState(/** @type {string[]} */ ([]))
  useEffect(() => {
    const load = () => { call('GET', 'fleet/nodes').then(status => setProblems(status.problems), () => {}) } // requires rights
    load()
    const timer = setInterval(() => { if (!document.hidden) load() }, REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return problems
}

const Selection = ({ chosen, onAct, onClear }) => html`<div class="selection" role="toolbar"
  aria-label=${t('fleet.selected', { count: chosen.length })}>
  <b>${t('fleet.selected', { count: chosen.length })}</b>
  ${ACTS.map(act => html`<button key=${act.id} type="button" disabled=${!chosen.some(act.fits)} onClick=${() => onAct(act)}>
    <${Icon} name=${act.icon} /> ${t(`fleet.act.${act.id}`)}</button>`)}
  <button type="button" class="quiet" onClick=${onClear}>${t('fleet.clear')}</button>
</div>`

/** What stands here before the first printer. */
const Invitation = () => html`<section class="empty">
  <span class="picture"><${PrinterDrawing} model="X1C" spools=${INVITING} /></span>
  <p>${t('fleet.none')}</p>
  ${hasPage('printers') && html`<a class="button primary" href=${linkTo('printers')}>${t('fleet.add')}</a>`}
</section>`

function Fleet () {
  const { printers, link } = usePrinters()
  const problems = useProblems()
  const [filter, setFilter] = useState({ text: '', group: 'all', model: '', filament: '', tag: '' })
  const [view, setView] = useState(readView)
  const [selected, setSelected] = useState(/** @type {ReadonlySet<string>} */ (new Set()))
  const [act, setAct] = useState(/** @type {any} */ (undefined))
  const all = useMemo(() => sorted([...printers.values()], shell.conditions), [printers])
  const shown = useMemo(() => filtered(all, filter), [all, filter])
  const chosen = all.filter(({ name }) => selected.has(name))
  useEffect(() => storeView(view), [view])
  const select = useMemo(() => (name, on) => setSelected(known => {
    const next = new Set(known)
    if (on) next.add(name)
    else next.delete(name)
    return next
  }), [])
  return html`<main class="page fleet">
    <${Filters} printers=${all} isKnown=${link.asked} filter=${filter} setFilter=${setFilter} view=${view} setView=${setView} />
    ${link.problem && html`<p class="bad" role="alert">${t('fleet.problem', { reason: link.problem })}</p>`}
    ${problems.length > 0 && html`<section class="bad" role="alert" id="settle"><b>${t('fleet.settle')}</b>
      <ul>${problems.map(problem => html`<li key=${problem}>${problem}</li>`)}</ul></section>`}
    <ul class=${`tiles ${view.dense ? 'dense' : ''}`} id="tiles" aria-label=${t('fleet.title')}>
      ${shown.map(printer => html`<${Tile} key=${printer.name} printer=${printer} looks=${shell.conditions} isWall=${view.wall}
        isSelected=${selected.has(printer.name)} onSelect=${select} />`)}
    </ul>
    ${link.asked && all.length === 0 && html`<${Invitation} />`}
    ${link.asked && all.length > 0 && shown.length === 0 && html`<p class="boot">${t('fleet.nothing')}</p>`}
    ${chosen.length > 0 && html`<${Selection} chosen=${chosen} onAct=${setAct} onClear=${() => setSelected(new Set())} />`}
    ${act && html`<${ActDialog} act=${act} printers=${chosen} onClose=${() => setAct(undefined)} />`}
  </main>`
}

const place = /** @type {HTMLElement} */ (document.getElementById('fleet'))
place.textContent = ''
render(html`<${Fleet} />`, place)
