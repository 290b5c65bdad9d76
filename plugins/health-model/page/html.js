import htm from 'htm'
import { h } from 'preact'
import { iconPath } from 'shell'

export const html = htm.bind(h)

/** @param {{ name: string }} options */
export const Icon = ({ name }) =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${iconPath(name)} /></svg>`
