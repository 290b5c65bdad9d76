// What is in the slots of each printer, and which of the spools in the list that is.

import { call, exactColor, filamentName, placeName, t } from 'shell'
import { html, leftText, spoolName, SpoolDrawing } from './lib.js'

/** Whether a spool can be what a slot reports: `PLA` can be `PLA Basic`. */
function fits (slot, spool) {
  const [reported, known] = [slot.material.toLowerCase(), spool.material.toLowerCase()]
  return reported.includes(known) || known.includes(reported)
}

/** Spools in the choice for a slot. */
const MOST_OFFERED = 60

/** Spools that may be in a slot: the one that is, then those of its colour. */
function offeredFor (slot, spools) {
  const rank = ({ id, color }) => id === slot.spool ? 0 : color !== '' && color.toUpperCase() === slot.color.toUpperCase() ? 1 : 2
  const fitting = spools.filter(spool => spool.id === slot.spool || fits(slot, spool))
  return fitting.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_OFFERED)
}

function Slot ({ slot, spools, act }) {
  const { printer, place } = slot
  const name = placeName(place)
  const offered = offeredFor(slot, spools)
  const isEmpty = slot.material === ''
  return html`<li class="row">
    <${SpoolDrawing} color=${slot.color} share=${isEmpty ? 0 : null} />
    <span class="row-main"><b title=${slot.colors.map(exactColor).join(', ')}>${isEmpty ? t('spools.slot.empty') : filamentName(slot.material, slot.colors)}</b>
      <small>${name}${isEmpty ? '' : ` · ${leftText(slot.left_g)}`}</small></span>
    ${!isEmpty && offered.length > 0 && html`<select aria-label=${t('spools.which', { slot: name, printer })} value=${slot.spool ?? ''}
      onChange=${({ target }) => act(() => call('POST', 'spools/assign', { printer, place, spool: target.value }))}>
      <option value="">${t('spools.which.unknown')}</option>
      ${offered.map(spool => html`<option key=${spool.id} value=${spool.id}>${spoolName(spool)}</option>`)}</select>`}
  </li>`
}

/** @param {{ slots: readonly any[], spools: readonly any[], act: (work: () => Promise<unknown>) => void }} props */
export function Slots ({ slots, spools, act }) {
  const printers = [...new Set(slots.map(({ printer }) => printer))]
  return html`<section class="part" aria-labelledby="slots-title"><h2 id="slots-title">${t('spools.slots')}</h2>
    ${slots.length === 0 && html`<p class="faint">${t('spools.slots.none')}</p>`}
    <div class="printers">${printers.map(printer => html`<section class="card" key=${printer} aria-label=${printer}>
      <header><h3>${printer}</h3></header>
      <ul class="rows">${slots.filter(slot => slot.printer === printer)
        .map(slot => html`<${Slot} key=${slot.place} slot=${slot} spools=${spools} act=${act} />`)}</ul>
    </section>`)}</div>
  </section>`
}
