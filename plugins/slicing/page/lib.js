import { number, t } from 'shell'

export { useEffect, useMemo, useRef, useState } from 'preact/hooks'
export { render } from 'preact'
export { Dialog, html, Icon } from 'components'

/** `20 × 20 × 6 mm` @param {readonly number[]} size */
export const sizeText = size => `${size.map(side => number(side, { maximumFractionDigits: 1 })).join(' × ')} mm`

/** @param {number} seconds */
export function durationText (seconds) {
  const minutes = Math.max(1, Math.round(seconds / 60))
  const hours = Math.floor(minutes / 60)
  return hours > 0 ? t('slicing.hours', { hours, minutes: minutes % 60 }) : t('slicing.minutes', { minutes })
}

/** Problems of a model and its parts, each once. @param {any} model */
export function problemsOf ({ problems, parts }) {
  const all = [...problems, ...parts.flatMap(part => part.problems)]
  return all.filter(({ message }, at) => all.findIndex(other => other.message === message) === at)
}

/** A model as it is chosen on the page, as the API wants it. */
export const orderedPart = ({ model, copies, percent, rotate, layFlat, repair, at }) => ({
  model: model.id,
  copies,
  ...(percent !== 100 && { scale: percent / 100 }),
  ...(rotate.some(angle => angle !== 0) && { rotate }),
  ...(layFlat && { lay_flat: true }),
  ...(repair && { repair: true }),
  ...(at && { at })
})
