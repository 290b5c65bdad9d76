import htm from 'htm'
import { h } from 'preact'
import { iconPath, t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'

export const html = htm.bind(h)

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${iconPath(name)} /></svg>`

/** @param {{ condition: string, looks: Record<string, { tone: string, icon: string }> }} props */
export const Badge = ({ condition, looks }) => html`<b class=${`badge ${looks[condition].tone}`}>
  <${Icon} name=${looks[condition].icon} />${t(`condition.${condition}`)}</b>`
