import htm from 'htm'
import { h } from 'preact'
import { iconPath } from 'shell'

export { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
export { render } from 'preact'

export const html = htm.bind(h)

export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
  <path d=${iconPath(name)} /></svg>`

/** What the slicer drew of a plate. It is not dragged by itself: that would look like a file from outside. */
export const Picture = ({ file, plate }) => html`<img class="part" loading="lazy" alt="" draggable=${false}
  onError=${({ target }) => { target.hidden = true }}
  src=${`api/queue/files/${encodeURIComponent(file)}/picture?plate=${plate}`} />`
