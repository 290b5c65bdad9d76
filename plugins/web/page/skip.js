import { number, t } from 'shell'
import { attempt, confirm } from './dialogs.js'
import { call, has } from './api.js'
import { Dialog } from './dialog.js'
import { html, useEffect, useState } from './lib.js'
import { minutesText } from '../../shell/page/format.js'
import { platesBoxes } from './plate.js'
import { meantJob, otherJob } from './printer-store.js'

/** Loads the objects on the plate of the running job: `{ objects, image }`, or `{ problem }`. */
async function loadObjects () {
  try {
    const { metadata } = await call('get_current_3mf_props')
    return { objects: metadata?.map?.bbox_objects ?? [], image: metadata?.topimg ?? '' }
  } catch (error) {
    return { problem: error.message }
  }
}

const S_PER_MIN = 60

/**
 * What skipping each object saves from the layer after the current one, by object; undefined until it is known.
 * @param {{ file: string, plate: number, layer: number }} job
 * @returns {Map<number, { seconds: number, grams: number }> | undefined}
 */
function useSavings ({ file, plate, layer }) {
  const [savings, setSavings] = useState(/** @type {any} */ (undefined))
  useEffect(() => {
    if (!file || !has('toolpath/objects')) return undefined
    const abort = new AbortController()
    call('toolpath/objects', { file, plate, from_layer: layer + 1 }, { signal: abort.signal }).then(
      ({ is_known: isKnown, objects }) =>
        setSavings(isKnown ? new Map(objects.map(object => [object.id, object])) : undefined),
      () => { if (!abort.signal.aborted) setSavings(undefined) }) // objects can be skipped without knowing it
    return () => abort.abort()
  }, [file, plate, layer])
  return savings
}

const gramsText = grams => `${number(grams, { maximumFractionDigits: 1 })} g`
const timeText = seconds => minutesText(seconds / S_PER_MIN)

/** What all chosen objects save together; nothing if that is not known of each, or if they are finished. */
function Saved ({ savings, chosen, layer }) {
  const all = chosen.map(id => savings?.get(id)).filter(Boolean)
  if (all.length === 0 || all.length < chosen.length) return ''
  const sum = member => all.reduce((total, object) => total + object[member], 0)
  const seconds = sum('seconds')
  if (seconds === 0) return ''
  const saved = { grams: gramsText(sum('grams')), time: timeText(seconds), layer: layer + 1 }
  return html`<p role="status">${t('printer.skip.saves', saved)}</p>`
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

const List = ({ boxes, chosen, skipped, savings, onToggle }) => html`<ul class="choices">
  ${boxes.map(({ id, number, name }) => html`<li key=${id}><label>
    <input type="checkbox" checked=${skipped.includes(id) || chosen.includes(id)} disabled=${skipped.includes(id)}
      onChange=${() => onToggle(id)} />
    <b>${number}</b> <span>${name || t('printer.skip.object', { id })}</span>${skipped.includes(id) && html` <i class="faint">${t('printer.skip.gone')}</i>`}
    ${!skipped.includes(id) && savings?.has(id) && html`<span class="faint saved">${gramsText(savings.get(id).grams)}, ${timeText(savings.get(id).seconds)}</span>`}
  </label></li>`)}</ul>`

async function skip (chosen, job, onClose) {
  const yes = await confirm({
    title: t('printer.skip.sure', { count: chosen.length }),
    text: t('printer.skip.why'),
    action: t('printer.skip.yes'),
    danger: true,
    isStale: otherJob(job)
  })
  if (!yes) return
  const done = await attempt(t('printer.skipped'), () => call('skip_objects', {
    objects: chosen.join(','), ...meantJob('skip_objects', job)
  }))
  if (done) onClose()
}

/** Skips objects of the running job, chosen in a picture of the plate. */
export function SkipDialog ({ view, onClose }) {
  /** Its objects are shown; the next job may have objects with the same numbers. */
  const [{ job, isOther }] = useState(() => ({ job: view.job, isOther: otherJob(view.job) }))
  const [plate, setPlate] = useState(/** @type {any} */ (undefined))
  const [chosen, setChosen] = useState(/** @type {number[]} */ ([]))
  useEffect(() => { void loadObjects().then(setPlate) }, [])
  const savings = useSavings(view.job)
  const boxes = platesBoxes(plate?.objects ?? [], view.bed)
  const toggle = id => setChosen(toggled(chosen, id))
  const skipped = view.skipped.map(Number)
  const isTooMany = boxes.length > MOST_SKIPPABLE
  const stale = isOther()
  return html`<${Dialog} title=${t('printer.skip.title')} wide onClose=${onClose}>
    ${!plate && html`<p role="status">${t('printer.skip.reading')}</p>`}
    ${plate?.problem && html`<p class="bad" role="alert">${t('printer.skip.unknown', { reason: plate.problem })}</p>`}
    ${plate?.objects && html`<div class="halves">
      <${Picture} boxes=${boxes} image=${plate.image} chosen=${chosen} skipped=${skipped} onToggle=${toggle} />
      <${List} boxes=${boxes} chosen=${chosen} skipped=${skipped} savings=${savings} onToggle=${toggle} /></div>`}
    <${Saved} savings=${savings} chosen=${chosen} layer=${view.job.layer} />
    ${isTooMany && html`<p class="warn" role="status">${t('printer.skip.many', { count: boxes.length, most: MOST_SKIPPABLE })}</p>`}
    ${stale && html`<p class="bad" role="alert">${t('printer.stale')}</p>`}
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('printer.cancel')}</button>
      <button type="button" class="danger" disabled=${chosen.length === 0 || isTooMany || stale}
        onClick=${() => skip(chosen, job, onClose)}>${t('printer.skip.do', { count: chosen.length })}</button></div>
  <//>`
}
