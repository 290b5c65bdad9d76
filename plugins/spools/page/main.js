// The page of spools: what is in the printers, and every spool with what is left of it.

import { PrinterDrawing } from 'printer-drawing'
import { call, exactColor, filamentName, follow, placeName, t } from 'shell'
import { Edit } from './edit.js'
import { grams, html, leftText, render, shareOf, SpoolDrawing, spoolName, useEffect, useMemo, useState } from './lib.js'
import { Slots } from './slots.js'

/** Spools of the drawing before the first one. */
const INVITING = ['#e8503a', '#f3b33d', '#3f8ae0', '#2c2f36'].map(color => ({ color }))

function useSpools () {
  const [list, setList] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const refresh = useMemo(() => async () => {
    try {
      setList(await call('GET', 'spools'))
      setProblem('')
    } catch (error) {
      setProblem(/** @type {Error} */ (error).message)
    }
  }, [])
  useEffect(() => {
    void refresh()
    return follow({ topics: ['spools'], onMessage: ({ topic }) => { if (topic === 'spools') void refresh() } })
  }, [])
  return { list, problem, refresh }
}

/** What the amount left is compared with. */
const ofText = ({ net_g: net, used_g: used }) =>
  net === null ? t('spools.used', { grams: grams(used) }) : t('spools.left.of', { grams: grams(net) })

const Tile = ({ spool, slot, isOurs, onEdit }) => {
  const share = shareOf(spool)
  const [title, filament] = [spoolName(spool), filamentName(spool.material, [spool.color])]
  return html`<li class="card spool"><${SpoolDrawing} color=${spool.color} share=${share} />
    <div class="what"><h3>${title}</h3>
      <p class="faint"><span title=${exactColor(spool.color)}>${title === filament ? spool.color.toUpperCase() || filament : filament}</span>${slot && ` · ${t('spools.where', { slot: placeName(slot.place), printer: slot.printer })}`}</p>
      <p><b>${leftText(spool.left_g)}</b> <span class="faint">${ofText(spool)}</span></p></div>
    ${isOurs && html`<button type="button" class="quiet icon-only" aria-label=${t('spools.change', { name: title })}
      onClick=${() => onEdit(spool)}>⋯</button>`}</li>`
}

const Uses = ({ uses, act }) => html`<section class="card" aria-labelledby="uses-title"><header><h2 id="uses-title">${t('spools.uses')}</h2></header>
  <p class="faint">${t('spools.uses.why')}</p>
  <ul class="rows">${uses.map(({ id, grams: used, material, printer, problem }) => html`<li class="row" key=${id}>
    <span class="row-main"><b>${t('spools.use', { grams: grams(used), material, printer })}</b><small>${problem}</small></span>
    <span class="row-end">${['done', 'send'].map(as => html`<button type="button" class="small" key=${as}
      onClick=${() => act(() => call('POST', 'spools/settle', { id, as }))}>${t(`spools.use.${as}`)}</button>`)}</span></li>`)}</ul></section>`

const Invitation = ({ onAdd }) => html`<section class="card empty"><span class="invitation"><${PrinterDrawing} model="A1" spools=${INVITING} /></span>
  <h2>${t('spools.none')}</h2><p>${t('spools.none.why')}</p>
  <button type="button" class="primary" onClick=${onAdd}>${t('spools.add')}</button></section>`

function Shelf ({ list, isOurs, onEdit }) {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = list.spools.filter(spool =>
    `${spoolName(spool)} ${filamentName(spool.material, [spool.color])} ${spool.color}`.toLowerCase().includes(wanted))
  return html`<section class="part" aria-labelledby="shelf-title"><header class="page-head"><h2 id="shelf-title">${t('spools.shelf')}</h2><span class="space" />
      <input type="search" placeholder=${t('spools.search')} aria-label=${t('spools.search')} value=${text}
        onInput=${({ target }) => setText(target.value)} /></header>
    <ul class="shelf">${shown.map(spool => html`<${Tile} key=${spool.id} spool=${spool} isOurs=${isOurs} onEdit=${onEdit}
      slot=${list.slots.find(({ spool: id }) => id === spool.id)} />`)}</ul>
    ${shown.length === 0 && html`<p class="boot">${t('spools.nothing')}</p>`}</section>`
}

function App () {
  const { list, problem, refresh } = useSpools()
  const [refused, setRefused] = useState('')
  const [edited, setEdited] = useState(/** @type {{ spool?: any } | null} */ (null))
  const act = async work => {
    setRefused('')
    await work().catch(error => setRefused(t('spools.failed', { reason: error.message })))
    await refresh()
  }
  if (!list) return html`<main class="page"><h1>${t('spools.title')}</h1><p class="boot" role="status">${problem || '…'}</p></main>`
  const isOurs = list.kept_by === 'prnd'
  const late = problem || list.problem
  const isEmpty = list.spools.length === 0
  return html`<main class="page">
    <header class="page-head"><h1>${t('spools.title')}</h1><span class="space" />
      ${isOurs && !isEmpty && html`<button type="button" class="primary" onClick=${() => setEdited({})}>${t('spools.add')}</button>`}
      <p class="lead">${t(isOurs ? 'spools.lead' : 'spools.spoolman')}</p></header>
    <p class="bad" role="alert" hidden=${refused === '' && !late}>${refused || (late && t('spools.late', { reason: late }))}</p>
    ${list.open_uses.length > 0 && html`<${Uses} uses=${list.open_uses} act=${act} />`}
    ${isEmpty && isOurs
      ? html`<${Invitation} onAdd=${() => setEdited({})} />`
      : html`<${Shelf} list=${list} isOurs=${isOurs} onEdit=${spool => setEdited({ spool })} />`}
    <${Slots} slots=${list.slots} spools=${list.spools} act=${act} />
    ${edited && html`<${Edit} spool=${edited.spool} onClose=${() => setEdited(null)} onDone=${refresh} />`}
  </main>`
}

const place = /** @type {any} */ (document.getElementById('spools'))
place.replaceChildren()
render(html`<${App} />`, place)
