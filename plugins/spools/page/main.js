// The page of spools: the inventory, what to buy, places, the accuracy of the count, and each spool at its own address.

import { PrinterDrawing } from 'printer-drawing'
import { call, follow, shell, t } from 'shell'
import { Accuracy } from './accuracy.js'
import { Edit } from './edit.js'
import { NO_FILTER } from './filter.js'
import { Import } from './import.js'
import { grams, html, render, useEffect, useMemo, useRead, useState } from './lib.js'
import { List } from './list.js'
import { Places } from './places.js'
import { Slots } from './slots.js'
import { SpoolPage } from './spool.js'
import { Supply } from './supply.js'
import { Types } from './types.js'

const VIEWS = ['', 'buy', 'types', 'places', 'accuracy']
/** Spools of the drawing before the first one. */
const INVITING = ['#e8503a', '#f3b33d', '#3f8ae0', '#2c2f36'].map(color => ({ color }))

function useHash () {
  const [hash, setHash] = useState(location.hash.slice(1))
  useEffect(() => {
    const update = () => setHash(location.hash.slice(1))
    window.addEventListener('hashchange', update)
    return () => window.removeEventListener('hashchange', update)
  }, [])
  return VIEWS.includes(hash) ? hash : ''
}

const Uses = ({ uses, act }) => html`<section class="card" aria-labelledby="uses-title"><header><h2 id="uses-title">${t('spools.uses')}</h2></header>
  <p class="faint">${t('spools.uses.why')}</p>
  <ul class="rows">${uses.map(({ id, grams: used, material, printer, problem }) => html`<li class="row" key=${id}>
    <span class="row-main"><b>${t('spools.use', { grams: grams(used), material, printer })}</b><small>${problem}</small></span>
    <span class="row-end">${['done', 'send'].map(as => html`<button type="button" class="small" key=${as}
      onClick=${() => act(() => call('POST', 'spools/settle', { id, as }))}>${t(`spools.use.${as}`)}</button>`)}</span></li>`)}</ul></section>`

const Invitation = ({ onAdd, onImport }) => html`<section class="card empty"><span class="invitation"><${PrinterDrawing} model="A1" spools=${INVITING} /></span>
  <h2>${t('spools.none')}</h2><p>${t('spools.none.why')}</p>
  <div class="buttons"><button type="button" class="primary" onClick=${onAdd}>${t('spools.add')}</button>
    <button type="button" onClick=${onImport}>${t('spools.import')}</button></div></section>`

const Views = ({ view }) => html`<nav class="buttons" aria-label=${t('spools.view')}>${VIEWS.map(one => html`<a key=${one} class="button" href=${`#${one}`}
  aria-current=${view === one ? 'page' : undefined}>${t(`spools.view.${one || 'list'}`)}</a>`)}</nav>`

const Transfer = ({ onImport }) => html`<details class="menu transfer"><summary class="button">${t('spools.lists')}</summary><div>
  <button type="button" onClick=${({ currentTarget }) => { currentTarget.closest('details').open = false; onImport() }}>${t('spools.import')}</button>
  <a href=${`${shell.base}api/spools/export?format=csv`} download>${t('spools.export', { format: 'CSV' })}</a>
  <a href=${`${shell.base}api/spools/export?format=json`} download>${t('spools.export', { format: 'JSON' })}</a></div></details>`

/** The inventory, read again when it changed; archived spools only when they are looked at. */
function useInventory (isArchived) {
  const params = useMemo(() => ({ archived: isArchived ? 'all' : 'no' }), [isArchived])
  const read = useRead('spools/inventory', params)
  useEffect(() => follow({ topics: ['spools'], onMessage: ({ topic }) => { if (topic === 'spools') void read.refresh() }, onMissed: read.refresh }), [read.refresh])
  return read
}

const Dialogs = ({ dialog, inventory, refresh, onClose }) => html`
  ${dialog?.name === 'edit' && html`<${Edit} spool=${dialog.spool} inventory=${inventory} onClose=${onClose} onDone=${refresh} />`}
  ${dialog?.name === 'import' && html`<${Import} onClose=${onClose} onDone=${refresh} />`}`

function App () {
  const view = useHash()
  const [filter, setFilter] = useState({ ...NO_FILTER, text: new URL(location.href).searchParams.get('text') ?? '' })
  const { body: inventory, problem, refresh } = useInventory(filter.state === 'archived')
  const [refused, setRefused] = useState('')
  const [dialog, setDialog] = useState(/** @type {{ name: string, spool?: any } | null} */ (null))
  const act = async work => {
    setRefused('')
    await work().catch(error => setRefused(t('spools.failed', { reason: error.message })))
    await refresh()
  }
  if (!inventory) return html`<main class="page"><h1>${t('spools.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const isOurs = inventory.kept_by === 'prnd'
  const late = problem || inventory.problem
  const isEmpty = inventory.spools.length === 0 && filter.state !== 'archived' && inventory.types.length + inventory.places.length === 0
  const [add, bring] = [() => setDialog({ name: 'edit' }), () => setDialog({ name: 'import' })]
  const showPlace = place => {
    setFilter({ ...NO_FILTER, place })
    location.hash = ''
  }
  return html`<main class="page">
    <header class="page-head"><h1>${t('spools.title')}</h1>${!isEmpty && html`<${Views} view=${view} />`}<span class="space" />
      ${isOurs && !isEmpty && html`<${Transfer} onImport=${bring} /><button type="button" class="primary" onClick=${add}>${t('spools.add')}</button>`}
      <p class="lead">${t(isOurs ? 'spools.lead' : 'spools.spoolman')}</p></header>
    <p class="bad" role="alert" hidden=${refused === '' && !late}>${refused || (late && t('spools.late', { reason: late }))}</p>
    ${inventory.open_uses.length > 0 && html`<${Uses} uses=${inventory.open_uses} act=${act} />`}
    ${view === '' && (isEmpty && isOurs
      ? html`<${Invitation} onAdd=${add} onImport=${bring} />`
      : html`<${List} inventory=${inventory} filter=${filter} onFilter=${setFilter} isOurs=${isOurs} act=${act}
          onEdit=${spool => setDialog({ name: 'edit', spool })} />`)}
    ${view === '' && html`<${Slots} slots=${inventory.slots} spools=${inventory.spools.filter(({ archived }) => !archived)} act=${act} />`}
    ${view === 'buy' && html`<${Supply} />`}
    ${view === 'places' && html`<${Places} inventory=${inventory} isOurs=${isOurs} act=${act} onShow=${showPlace} />`}
    ${view === 'types' && html`<${Types} inventory=${inventory} isOurs=${isOurs} act=${act} />`}
    ${view === 'accuracy' && html`<${Accuracy} />`}
    <${Dialogs} dialog=${dialog} inventory=${inventory} refresh=${refresh} onClose=${() => setDialog(null)} />
  </main>`
}

/** The spool in the address, `/spools/ID`. */
const [, own] = /\/spools\/([^/]+)$/.exec(location.pathname) ?? []
const place = /** @type {any} */ (document.getElementById('spools'))
place.replaceChildren()
render(own === undefined ? html`<${App} />` : html`<${SpoolPage} id=${decodeURIComponent(own)} />`, place)
