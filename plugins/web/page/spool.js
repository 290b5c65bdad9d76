import { colorName, filamentName, t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has, takes } from './api.js'
import { html } from './lib.js'
import { placeInUnit, placeOf } from './place.js'
import { coloursIn, Swatches } from './swatches.js'

const nameOf = slot => [placeOf(slot), filamentName(slot.kind, slot.colors)].filter(Boolean).join(', ')

const whereOf = slot => [placeInUnit(slot), slot.inUse && t('printer.spool.used')].filter(Boolean).join(' · ')

/** The colour in words; what is translucent or has several colours is described by its swatches. */
const colourOf = ({ colors, translucent }) => colors.length === 1 && !translucent ? colorName(colors[0]) : ''

async function load (slot) {
  const yes = await confirm({
    title: t('printer.filament.load.title', { what: slot.kind || t('printer.filament.some'), place: placeOf(slot) }),
    text: t('printer.filament.load.sure'),
    action: t('printer.filament.load')
  })
  const place = slot.ams < 0 || !takes('load_filament', 'ams_id') ? { slot: slot.slot } : { slot: slot.slot, ams_id: slot.ams }
  if (yes) await attempt(t('printer.filament.loading'), () => call('load_filament', place))
}

const scan = ({ ams, slot }) => attempt(t('printer.spool.tag.reading'), () => call('refresh_spool_rfid', { ams_id: ams, slot_id: slot }))

/** Without a parameter for the unit the route loads from the first one. */
const canLoad = ({ ams }) => ams <= 0 || takes('load_filament', 'ams_id')

const Menu = ({ slot, busy, onEdit }) => html`<details class="menu">
  <summary aria-label=${t('printer.spool.actions', { what: nameOf(slot) })}>⋯</summary><div>
    <button type="button" disabled=${busy || !slot.there || !canLoad(slot)} onClick=${() => load(slot)}>${t('printer.filament.load')}</button>
    <button type="button" onClick=${() => onEdit(slot)}>${t('printer.spool.edit')}</button>
    ${slot.ams >= 0 && has('refresh_spool_rfid') && html`
      <button type="button" disabled=${busy || !slot.there} onClick=${() => scan(slot)}>${t('printer.spool.tag')}</button>`}
  </div></details>`

/** The amount left; nothing for an empty place. */
const Left = ({ left, kind }) => left === undefined
  ? kind !== '' && html`<span class="left faint" title=${t('printer.spool.left.unknown')}>? %</span>`
  : html`<span class="left">${left} %</span>`

/** A slot or holder with its spool. */
export const Spool = ({ slot, busy, onEdit }) => html`<div class=${`spool ${slot.inUse ? 'used' : ''}`} role="group" aria-label=${nameOf(slot)}>
  <${Swatches} title=${coloursIn(slot)} colors=${slot.colors} translucent=${slot.translucent} />
  <span class="what"><b>${slot.kind || t(slot.there ? 'printer.spool.unknown' : 'printer.spool.empty')}</b>
    <span class="faint">${whereOf(slot)}${colourOf(slot) !== '' && html`<span class="colour">${whereOf(slot) && ' · '}${colourOf(slot)}</span>`}</span></span>
  <span><${Left} left=${slot.left} kind=${slot.kind} /></span>
  <${Menu} slot=${slot} busy=${busy} onEdit=${onEdit} />
  ${slot.left !== undefined && html`<meter min="0" max="100" low="15" value=${slot.left} aria-label=${t('printer.spool.left', { what: nameOf(slot) })}></meter>`}
</div>`
