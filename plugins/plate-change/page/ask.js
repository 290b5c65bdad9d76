// A question whose answer has consequences.

import { t } from 'shell'
import { Dialog, html, useState } from './lib.js'

/** @param {{ title: string, text: string, yes: string, onYes: () => void, onClose: () => void }} props */
export const Ask = ({ title, text, yes, onYes, onClose }) => html`<${Dialog} title=${title} onClose=${onClose}>
  <p class="consequence">${text}</p>
  <div class="buttons end"><button type="button" onClick=${onClose}>${t('plate-change.cancel')}</button>
    <button type="button" class="danger" onClick=${() => { onYes(); onClose() }}>${yes}</button></div></${Dialog}>`

/** Where the points lie before anybody has said where the bed is, in order around it. */
const USUAL = [[0.2, 0.2], [0.8, 0.2], [0.8, 0.8], [0.2, 0.8]]
const STEP = 0.01
const FAR = 5
/** By key, how far a corner moves to the right and down. @type {Record<string, number[]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

const inside = part => Math.min(1, Math.max(0, part))
const percent = part => Math.round(part * 100)

/** Where something was touched, as parts of the picture. */
const touched = (event, picture) => {
  const { left, top, width, height } = picture.getBoundingClientRect()
  return [inside((event.clientX - left) / width), inside((event.clientY - top) / height)]
}

/** The corner that is next to a place. @param {number[][]} corners @param {any} place */
const nearest = (corners, [x, y]) => {
  const far = corners.map(([left, top]) => Math.hypot(left - x, top - y))
  return far.indexOf(Math.min(...far))
}

function Corner ({ at, place: [x, y], onMove }) {
  const press = event => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const far = STEP * (event.shiftKey ? FAR : 1)
    onMove(at, [inside(x + arrow[0] * far), inside(y + arrow[1] * far)])
  }
  const hold = ({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)
  const drag = event => {
    const { currentTarget: button, pointerId } = event
    if (button.hasPointerCapture(pointerId)) onMove(at, touched(event, button.parentElement))
  }
  return html`<button type="button" style=${{ left: `${x * 100}%`, top: `${y * 100}%` }} onKeyDown=${press} onPointerDown=${hold} onPointerMove=${drag}
    onClick=${event => event.stopPropagation()} aria-label=${t('plate-change.camera.corner', { number: at + 1, x: percent(x), y: percent(y) })}>${at + 1}</button>`
}

/** Four corners that a person puts on a picture. @param {any} props */
export function AskCorners ({ src, title, mask, onUse, onClose }) {
  const [corners, setCorners] = useState(mask.length === USUAL.length ? mask : USUAL)
  const move = (moved, place) => setCorners(known => known.map((corner, at) => at === moved ? place : corner))
  const touch = event => {
    const place = touched(event, event.currentTarget)
    move(nearest(corners, place), place)
  }
  return html`<${Dialog} title=${title} wide onClose=${onClose}>
    <p>${t('plate-change.camera.corners')}</p>
    <div class="corners" onClick=${touch}><img src=${src} alt=${t('plate-change.camera.reference')} />
      <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><polygon points=${corners.map(corner => corner.join()).join(' ')} /></svg>
      ${corners.map((place, at) => html`<${Corner} key=${at} at=${at} place=${place} onMove=${move} />`)}</div>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('plate-change.cancel')}</button>
      <button type="button" class="primary" onClick=${() => onUse(corners)}>${t('plate-change.camera.corners.use')}</button></div></${Dialog}>`
}
