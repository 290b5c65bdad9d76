import { t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call } from './api.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { platesBoxes } from './plate.js'

/** Loads the objects on the plate of the running job: `{ objects, image }`, or `{ problem }`. */
async function loadObjects () {
  try {
    const { metadata } = await call('get_current_3mf_props')
    return { objects: metadata?.map?.bbox_objects ?? [], image: metadata?.topimg ?? '' }
  } catch (error) {
    return { problem: error.message }
  }
}

/** Firmware skips objects only on plates with at most this many. */
const MOST_SKIPPABLE = 64

const toggled = (chosen, id) => chosen.includes(id) ? chosen.filter(other => other !== id) : [...chosen, id]

/** The plate from above; a click chooses an object. The list beside it offers the same to screen readers. */
function Picture ({ boxes, image, chosen, skipped, onToggle }) {
  const classOf = id => skipped.includes(id) ? 'gone' : chosen.includes(id) ? 'chosen' : ''
  return html`<svg class="plate" viewBox="0 0 512 512" aria-hidden="true">
    <rect class="ground" width="512" height="512" />
    ${image && html`<image href=${image} width="512" height="512" />`}
    ${boxes.map(({ id, number, x, y, width, height }) => html`<g key=${id} class=${classOf(id)}
      onClick=${() => !skipped.includes(id) && onToggle(id)}>
      <rect x=${x} y=${y} width=${width} height=${height} rx="3" />
      <text x=${x + width / 2} y=${y + height / 2}>${number}</text></g>`)}
  </svg>`
}

const List = ({ boxes, chosen, skipped, onToggle }) => html`<ul class="choices">
  ${boxes.map(({ id, number, name }) => html`<li key=${id}><label>
    <input type="checkbox" checked=${skipped.includes(id) || chosen.includes(id)} disabled=${skipped.includes(id)}
      onChange=${() => onToggle(id)} />
    <b>${number}</b> <span>${name || t('printer.skip.object', { id })}</span>${skipped.includes(id) && html` <i class="faint">${t('printer.skip.gone')}</i>`}
  </label></li>`)}</ul>`

async function skip (chosen, onClose) {
  const yes = await confirm({
    title: t('printer.skip.sure', { count: chosen.length }),
    text: t('printer.skip.why'),
    action: t('printer.skip.yes'),
    danger: true
  })
  if (!yes) return
  const done = await attempt(t('printer.skipped'), () => call('skip_objects', { objects: chosen.join(',') }))
  if (done) onClose()
}

/** Skips objects of the running job, chosen in a picture of the plate. */
export function SkipDialog ({ view, onClose }) {
  const [plate, setPlate] = useState(/** @type {any} */ (undefined))
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]))
  useEffect(() => { void loadObjects().then(setPlate) }, [])
  const boxes = platesBoxes(plate?.objects ?? [], view.bed)
  const toggle = id => setChosen(toggled(chosen, id))
  const skipped = view.skipped.map(Number)
  const isTooMany = boxes.length > MOST_SKIPPABLE
  return html`<${Dialog} title=${t('printer.skip.title')} wide onClose=${onClose}>
    ${!plate && html`<p role="status">${t('printer.skip.reading')}</p>`}
    ${plate?.problem && html`<p class="bad" role="alert">${t('printer.skip.unknown', { reason: plate.problem })}</p>`}
    ${plate?.objects && html`<div class="halves">
      <${Picture} boxes=${boxes} image=${plate.image} chosen=${chosen} skipped=${skipped} onToggle=${toggle} />
      <${List} boxes=${boxes} chosen=${chosen} skipped=${skipped} onToggle=${toggle} /></div>`}
    ${isTooMany && html`<p class="warn" role="status">${t('printer.skip.many', { count: boxes.length, most: MOST_SKIPPABLE })}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
      <button type="button" class="danger" disabled=${chosen.length === 0 || isTooMany || !view.job.isBusy}
        onClick=${() => skip(chosen, onClose)}>${t('printer.skip.do', { count: chosen.length })}</button></div>
  <//>`
}
