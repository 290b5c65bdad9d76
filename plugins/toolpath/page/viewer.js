// The picture of the plate with what lies above it: marks of findings, and the nozzle.

import { t } from 'shell'
import { followGestures } from './gestures.js'
import { html, useEffect, useRef, useState } from './lib.js'
import { createScene } from './scene.js'

/** Moves an element to a point of the picture; behind the eye it is hidden. */
function put (element, canvas, place, point) {
  const [x, y, depth] = place(point)
  const isSeen = depth > 0 && Math.abs(x) <= 1 && Math.abs(y) <= 1
  element.classList.toggle('unseen', !isSeen)
  if (!isSeen) return
  const [right, lower] = [(x + 1) / 2 * canvas.clientWidth, (1 - y) / 2 * canvas.clientHeight]
  element.style.transform = `translate(${right}px, ${lower}px)`
}

const Mark = ({ finding, at, isChosen, onGo }) => html`<button type="button" class=${`mark ${finding.weight}`} data-mark=${at}
  aria-pressed=${isChosen} aria-label=${t('plate.finding.show', { what: t(`finding.title.${finding.code}`), layer: finding.layer })}
  onClick=${() => onGo(finding)}>!</button>`

const Nozzle = () => html`<svg class="nozzle unseen" viewBox="0 0 24 36" aria-hidden="true"><path d="M5 2h14v16l-5 14h-4L5 18Z" /></svg>`

/** ms that a slider rests before the service draws a layer. */
const RESTED_MS = 200

/** Without WebGL: the service draws the highest layer from above. */
function Flat ({ params, last }) {
  const [layer, setLayer] = useState(last)
  useEffect(() => {
    const timer = setTimeout(() => setLayer(last), RESTED_MS)
    return () => clearTimeout(timer)
  }, [last])
  const address = `api/toolpath/picture?${new URLSearchParams({ ...params, layer: String(layer) })}`
  return html`<div class="flat"><p class="warn">${t('plate.no_webgl')}</p>
    <img alt=${t('plate.layer_from_above', { layer })} src=${address} /></div>`
}

/**
 * @param {{ params: any, display: any, box: any, bed: number[], findings: any[], chosen: any,
 *   onGo: (finding: any) => void, onStep: (layers: number) => void, onScene: (scene: any) => void,
 *   label: string }} props
 */
export function Viewer ({ params, display, box, bed, findings, chosen, onGo, onStep, onScene, label }) {
  const { head } = display
  const canvas = useRef(/** @type {any} */ (null))
  const frame = useRef(/** @type {any} */ (null))
  const scene = useRef(/** @type {any} */ (null))
  const latest = useRef(/** @type {any} */ ({}))
  const [isFlat, setFlat] = useState(false)
  latest.current = { findings, head, onStep, box }
  const placeAll = () => {
    const { place } = latest.current
    if (!place || !frame.current) return
    for (const mark of frame.current.querySelectorAll('.mark')) {
      const { position } = latest.current.findings[Number(mark.dataset.mark)] ?? {}
      if (position) put(mark, canvas.current, place, [position.x, position.y, position.z])
    }
    const nozzle = frame.current.querySelector('.nozzle')
    if (latest.current.head) put(nozzle, canvas.current, place, latest.current.head)
    else nozzle.classList.add('unseen')
  }
  const lastPlace = useRef(/** @type {any} */ (undefined))
  latest.current.place = lastPlace.current
  useEffect(() => {
    const made = createScene(canvas.current, ({ place, isFull }) => {
      lastPlace.current = latest.current.place = place
      frame.current.dataset.picture = isFull ? 'full' : 'quick'
      placeAll()
    })
    if (!made) return setFlat(true)
    scene.current = made
    made.setBed(bed)
    made.fit(box)
    onScene(made)
    const end = followGestures(canvas.current, {
      get: () => made.orbit,
      set: orbit => { made.orbit = orbit },
      reset: () => made.fit(latest.current.box),
      step: layers => latest.current.onStep(layers)
    })
    return () => { end(); made.close(); onScene(undefined) }
  }, [])
  useEffect(() => { scene.current?.show(display) }, [display])
  useEffect(placeAll, [head, findings])
  useEffect(() => {
    if (!chosen?.position || !scene.current) return
    const { x, y, z } = chosen.position
    const { orbit } = scene.current
    scene.current.orbit = { ...orbit, target: [x, y, z], distance: Math.min(orbit.distance, 70) }
  }, [chosen])
  if (isFlat) return html`<${Flat} params=${params} last=${display.last} />`
  return html`<div class="view" ref=${frame} data-picture="none">
    <canvas ref=${canvas} tabindex="0" role="application" aria-label=${label} aria-describedby="view-help"></canvas>
    <p class="hidden" id="view-help">${t('plate.view.help')}</p>
    ${findings.map((finding, at) => finding.position && html`<${Mark} key=${at} finding=${finding} at=${at}
      isChosen=${chosen === finding} onGo=${onGo} />`)}
    <${Nozzle} />
  </div>`
}
