import { exactColor, t } from 'shell'
import { html } from './lib.js'

const MOST_SHOWN = 6

/** @param {{ colors: readonly string[], translucent: boolean, type: string }} spool */
export function coloursIn ({ colors, translucent, type }) {
  if (colors.length === 0) return t(type === '' ? 'printer.spool.no_colour' : 'printer.spool.colour_unknown')
  return `${colors.map(exactColor).join(', ')}${translucent ? ` · ${t('printer.spool.translucent')}` : ''}`
}

/** A dot for each colour of a spool; an empty one when unknown. */
export const Swatches = ({ colors, translucent = false, title = undefined }) => html`<span class="swatches" title=${title}>
  ${(colors.length > 0 ? colors : [undefined]).slice(0, MOST_SHOWN).map(color => html`
    <span key=${color} class=${`swatch ${color ? '' : 'none'} ${translucent ? 'clear' : ''}`} style=${color ? { background: color } : {}}></span>`)}</span>`
