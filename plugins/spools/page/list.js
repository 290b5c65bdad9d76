// All spools: filters, a list of which only the visible part exists, and one action for many.

import { call, filamentName, number, placeName, t } from 'shell'
import { useVisibleRows } from '../../shell/page/use-visible-rows.js'
import { choices, describe, filtered, NO_FILTER, STATE_NAMES, summaryOf } from './filter.js'
import { Field, FormDialog, grams, html, inUse, leftText, money, shareOf, SpoolDrawing, spoolLink, spoolName, useEffect, useMemo, useRef, useState } from './lib.js'

/** Height of a row in rem; on phones. */
const HEIGHT = 4.8
const NARROW_HEIGHT = 5.8
const NARROW = '(max-width: 47.9rem)'

function useHeight () {
  const read = () => {
    const rem = Number.parseFloat(globalThis.getComputedStyle(document.documentElement).fontSize)
    return Math.round(rem * (globalThis.matchMedia(NARROW).matches ? NARROW_HEIGHT : HEIGHT))
  }
  const [height, setHeight] = useState(read)
  useEffect(() => {
    const update = () => setHeight(read())
    globalThis.addEventListener('resize', update)
    return () => globalThis.removeEventListener('resize', update)
  }, [])
  return height
}

const whereText = ({ place, slot }) => slot
  ? t('spools.where', { slot: placeName(slot.place), printer: slot.printer })
  : place?.name ?? ''

const Row = ({ row, place, isOurs, isChosen, onChoose, onEdit }) => {
  const { spool, type } = row
  const title = spoolName(spool)
  const filament = filamentName(spool.material, [spool.color])
  const facts = [title === filament ? '' : filament, type && !title.includes(type.brand) ? type.brand : '', whereText(row)].filter(Boolean)
  return html`<li class=${`row spool${isChosen ? ' chosen' : ''}`} ...${place}>
    ${isOurs && html`<label class="pick"><input type="checkbox" checked=${isChosen} aria-label=${t('spools.select', { name: title })}
      onInput=${({ target }) => onChoose(spool.id, target.checked)} /></label>`}
    <${SpoolDrawing} color=${spool.color} share=${shareOf(spool)} />
    <div class="row-main"><h3><a href=${spoolLink(spool.id)}>${title}</a></h3><small>${facts.join(' · ')}</small></div>
    <span class="amount"><b>${leftText(spool.left_g)}</b><small class="faint">${spool.net_g === null ? '' : t('spools.left.of', { grams: grams(spool.net_g) })}</small></span>
    ${isOurs && html`<button type="button" class="quiet icon-only" aria-label=${t('spools.change', { name: title })} onClick=${() => onEdit(spool)}>⋯</button>`}
  </li>`
}

function Filters ({ filter, rows, places, onChange }) {
  const set = name => ({ target }) => onChange({ ...filter, [name]: target.value })
  const choice = (name, values, wordOf = value => value) => html`<label>${t(`spools.filter.${name}`)}
    <select value=${filter[name]} onChange=${set(name)}><option value="">${t('spools.filter.all')}</option>
      ${values.map(value => html`<option key=${value} value=${value}>${wordOf(value)}</option>`)}</select></label>`
  const materials = useMemo(() => choices(rows.map(({ spool }) => spool.material)), [rows])
  const brands = useMemo(() => choices(rows.map(({ type }) => type?.brand)), [rows])
  return html`<form class="filters" role="search" onSubmit=${event => event.preventDefault()}>
    <input type="search" placeholder=${t('spools.search')} aria-label=${t('spools.search')} value=${filter.text} onInput=${set('text')} />
    ${materials.length > 1 && choice('material', materials)}
    ${brands.length > 0 && choice('brand', brands)}
    ${places.length > 0 && choice('place', places.map(({ id }) => id), id => places.find(place => place.id === id)?.name)}
    ${choice('state', STATE_NAMES, name => t(`spools.state.${name}`))}
  </form>`
}

const Move = ({ count, places, onSend, onClose }) => html`<${FormDialog} title=${t('spools.many.move.title', { count })} yes=${t('spools.many.move')} onClose=${onClose}
  onSend=${form => onSend({ place: String(new FormData(form).get('place')) })}>
  <${Field} label=${t('spools.filter.place')}><select name="place"><option value="">${t('spools.place.unknown')}</option>
    ${places.map(({ id, name }) => html`<option key=${id} value=${id}>${name}</option>`)}</select><//>
<//>`

/** Fewer are archived without a question: they are quickly brought back. */
const MANY = 5

const Archive = ({ count, onSend, onClose }) => html`<${FormDialog} title=${t('spools.many.archive.title', { count })} yes=${t('spools.many.archive')}
  onClose=${onClose} onSend=${() => onSend({ archived: true })}><p>${t('spools.many.archive.text')}</p><//>`

function Selection ({ ids, places, isArchived, act, onClear }) {
  const [asks, setAsks] = useState('')
  const close = () => setAsks('')
  const count = ids.length
  const send = changes => act(() => call('POST', 'spools/many', { ids, ...changes })).then(onClear)
  const button = (name, changes) => html`<button type="button" onClick=${() => send(changes())}>${t(`spools.many.${name}`)}</button>`
  return html`<div class="selection" role="toolbar" aria-label=${t('spools.selected', { count })}>
    <b>${t('spools.selected', { count: number(count) })}</b>
    <button type="button" onClick=${() => setAsks('move')}>${t('spools.many.move')}</button>
    ${button('dried', () => ({ dried_at: Date.now() }))}
    ${button('opened', () => ({ opened_at: Date.now() }))}
    ${isArchived
      ? button('restore', () => ({ archived: false }))
      : html`<button type="button" onClick=${() => { if (count < MANY) void send({ archived: true }); else setAsks('archive') }}>${t('spools.many.archive')}</button>`}
    <button type="button" class="quiet" onClick=${onClear}>${t('spools.many.none')}</button>
    ${asks === 'move' && html`<${Move} count=${count} places=${places} onClose=${close} onSend=${send} />`}
    ${asks === 'archive' && html`<${Archive} count=${count} onClose=${close} onSend=${send} />`}
  </div>`
}

export function List ({ inventory, filter, onFilter, isOurs, act, onEdit }) {
  const [chosen, setChosen] = useState(/** @type {ReadonlySet<string>} */ (new Set()))
  const list = useRef(/** @type {any} */ (null))
  const height = useHeight()
  const places = inUse(inventory.places)
  const rows = useMemo(() => {
    const types = new Map(inventory.types.map(type => [type.id, type]))
    const byPlace = new Map(inventory.places.map(place => [place.id, place]))
    const slots = new Map(inventory.slots.filter(({ spool }) => spool !== null).map(slot => [slot.spool, slot]))
    const words = spool => `${spoolName(spool)} ${filamentName(spool.material, [spool.color])}`
    return inventory.spools.map(spool => describe(spool, types, byPlace, slots, words))
  }, [inventory])
  const shown = useMemo(() => filtered(rows, filter), [rows, filter])
  /** Nothing happens to spools that are not shown, whatever was chosen before. */
  const ids = useMemo(() => shown.map(({ spool }) => spool.id).filter(id => chosen.has(id)), [shown, chosen])
  const heights = useMemo(() => shown.map(() => height), [shown.length, height])
  const { from, to, before, after } = useVisibleRows(list, heights)
  const { left, worth } = useMemo(() => summaryOf(shown), [shown])
  const choose = (id, on) => setChosen(known => {
    const next = new Set(known)
    if (on) next.add(id)
    else next.delete(id)
    return next
  })
  const facts = [t('spools.count', { count: number(shown.length) }), t('spools.kg', { kg: number(left / 1000, { maximumFractionDigits: 1 }) }),
    ...worth.map(([currency, amount]) => t('spools.worth', { amount: money(amount, currency) }))]
  return html`<section class="card shelf-part" aria-labelledby="shelf-title">
    <header><h2 id="shelf-title">${t('spools.shelf')}</h2><span class="faint" role="status">${facts.join(' · ')}</span></header>
    <${Filters} filter=${filter} rows=${rows} places=${places} onChange=${onFilter} />
    ${isOurs && shown.length > 1 && html`<label class="check"><input type="checkbox" checked=${ids.length === shown.length}
      onInput=${({ target }) => setChosen(new Set(target.checked ? shown.map(({ spool }) => spool.id) : []))} /> ${t('spools.select.all')}</label>`}
    <ul class="rows shelf" ref=${list} aria-label=${t('spools.shelf')} style=${{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>
      ${shown.slice(from, to).map((row, at) => html`<${Row} key=${row.spool.id} row=${row} isOurs=${isOurs} isChosen=${chosen.has(row.spool.id)}
        onChoose=${choose} onEdit=${onEdit}
        place=${{ style: { height: `${height}px` }, 'aria-setsize': shown.length, 'aria-posinset': from + at + 1 }} />`)}</ul>
    ${shown.length === 0 && html`<p class="boot">${t('spools.nothing')} ${filter.text !== '' || filter.state !== ''
      ? html`<button type="button" class="small" onClick=${() => onFilter(NO_FILTER)}>${t('spools.filter.clear')}</button>`
      : ''}</p>`}
    ${ids.length > 0 && html`<${Selection} ids=${ids} places=${places} isArchived=${filter.state === 'archived'} act=${act} onClear=${() => setChosen(new Set())} />`}
  </section>`
}
