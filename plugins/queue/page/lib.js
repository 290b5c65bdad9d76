import { html, Icon } from 'components'
import { hasText, t } from 'shell'

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

/**
 * Why something waits, in the language of the page.
 * @param {{ reason: string, why: { code: string, values: Record<string, string | number> } | null }} of
 */
export const wordsOf = ({ reason, why }) =>
  why && hasText(`queue.reason.${why.code}`) ? t(`queue.reason.${why.code}`, why.values) : reason

/** The slicer's thumbnail of a plate. Not draggable by itself: the drop would be taken for a file. */
export const Picture = ({ file, plate }) => html`<span class="part"><${Icon} name="file" /><img loading="lazy" alt="" draggable=${false}
  onError=${({ target }) => { target.hidden = true }} onLoad=${({ target }) => { target.hidden = false }}
  src=${`api/queue/files/${encodeURIComponent(file)}/picture?plate=${plate}`} /></span>`

/** @param {string | undefined} bed type of a build plate, such as `textured_plate`; empty when unknown */
export const bedWords = bed => !bed ? '' : hasText(`queue.bed.${bed}`) ? t(`queue.bed.${bed}`) : bed.replaceAll('_', ' ')
