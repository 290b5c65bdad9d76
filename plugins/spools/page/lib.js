import { html } from 'components'
import { filamentName, number, t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

/** @param {number} amount */
export const grams = amount => number(Math.round(amount))

const RIM = 46
const HUB = 17

/**
 * A spool from the side: the less is left, the thinner the ring.
 * @param {{ color: string, share: number | null }} props
 */
export const SpoolDrawing = ({ color, share }) => {
  const radius = Math.sqrt(HUB ** 2 + (RIM ** 2 - HUB ** 2) * Math.min(1, Math.max(0, share ?? 1)))
  return html`<svg class="reel" viewBox="0 0 100 100" aria-hidden="true">
    <circle class="rim" cx="50" cy="50" r=${RIM + 2} />
    <circle class=${color === '' ? 'filament unknown' : 'filament'} cx="50" cy="50" r=${radius} fill=${color || 'none'} />
    <circle class="hub" cx="50" cy="50" r=${HUB} /><circle class="hole" cx="50" cy="50" r="6" />
  </svg>`
}

/** What a spool is called; one that was added by itself, after its material and colour, gets the colour's name. */
export const spoolName = ({ name, material, color }) => name === `${material} ${color}` ? filamentName(material, [color]) : name

/** How much of a spool is left, 0 to 1; null when unknown. */
export const shareOf = ({ left_g: left, net_g: net }) => left === null || !net ? null : left / net

export const leftText = left => left === null ? t('spools.left.unknown') : t('spools.left', { grams: grams(left) })
