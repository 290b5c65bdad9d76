import { html, Icon } from 'components'
import { hasText, t, timeText } from 'shell'

export { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { html, Icon } from 'components'

const AT = '_at'

/**
 * Times of the service's clock as those of the browser, where it says them in ms, too.
 * @param {Record<string, any>} values
 */
const withTimes = values => ({
  ...values,
  ...Object.fromEntries(Object.entries(values).filter(([name, at]) => name.endsWith(AT) && typeof at === 'number')
    .map(([name, at]) => [name.slice(0, -AT.length), timeText(at)]))
})

/**
 * Why something waits, in the language of the page.
 * @param {{ reason: string, why: { code: string, values: Record<string, string | number> } | null }} of
 */
export const wordsOf = ({ reason, why }) =>
  why && hasText(`queue.reason.${why.code}`) ? t(`queue.reason.${why.code}`, withTimes(why.values)) : reason

/** The slicer's thumbnail of a plate. Not draggable by itself: the drop would be taken for a file. */
export const Picture = ({ file, plate }) => html`<span class="part"><${Icon} name="file" /><img loading="lazy" alt="" draggable=${false}
  onError=${({ target }) => { target.hidden = true }} onLoad=${({ target }) => { target.hidden = false }}
  src=${`api/queue/files/${encodeURIComponent(file)}/picture?plate=${plate}`} /></span>`

/** @param {string | undefined} bed type of a build plate, such as `textured_plate`; empty when unknown */
export const bedWords = bed => !bed ? '' : hasText(`queue.bed.${bed}`) ? t(`queue.bed.${bed}`) : bed.replaceAll('_', ' ')
