// Turns, zooms and moves the view by mouse, fingers and keys.

import { moved, turned, zoomed } from './orbit.js'

const TURN_PER_PX = 0.008
const ZOOM_PER_NOTCH = 1.0015
const KEY_TURN = 0.12
const KEY_MOVE = 0.06
const KEY_ZOOM = 1.15

const centre = points => points.reduce(([x, y], one) => [x + one.x / points.length, y + one.y / points.length], [0, 0])
const spread = (/** @type {any[]} */ [a, b]) => Math.hypot(a.x - b.x, a.y - b.y) || 1
const slant = (/** @type {any[]} */ [a, b]) => Math.atan2(b.y - a.y, b.x - a.x)

/** @type {Record<string, (orbit: any) => any>} */
const KEYS = {
  ArrowLeft: orbit => turned(orbit, KEY_TURN, 0),
  ArrowRight: orbit => turned(orbit, -KEY_TURN, 0),
  ArrowUp: orbit => turned(orbit, 0, KEY_TURN),
  ArrowDown: orbit => turned(orbit, 0, -KEY_TURN),
  '+': orbit => zoomed(orbit, 1 / KEY_ZOOM),
  '=': orbit => zoomed(orbit, 1 / KEY_ZOOM),
  '-': orbit => zoomed(orbit, KEY_ZOOM)
}
/** @type {typeof KEYS} */
const WITH_SHIFT = {
  ArrowLeft: orbit => moved(orbit, -KEY_MOVE, 0),
  ArrowRight: orbit => moved(orbit, KEY_MOVE, 0),
  ArrowUp: orbit => moved(orbit, 0, KEY_MOVE),
  ArrowDown: orbit => moved(orbit, 0, -KEY_MOVE)
}

/**
 * @param {HTMLElement} place
 * @param {{ get: () => any, set: (orbit: any) => void, reset: () => void, step: (layers: number) => void }} view
 * @returns {() => void} ends it
 */
export function followGestures (place, { get, set, reset, step }) {
  /** @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map()
  let isMoving = false

  function down (event) {
    if (event.target !== place) return
    place.setPointerCapture(event.pointerId)
    isMoving = event.button > 0 || event.shiftKey || event.ctrlKey
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
  }
  function move (event) {
    const before = fingers.get(event.pointerId)
    if (!before) return
    const old = [...fingers.values()]
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const now = [...fingers.values()]
    const height = place.clientHeight || 1
    if (now.length === 1) {
      const [right, lower] = [event.clientX - before.x, event.clientY - before.y]
      const next = isMoving
        ? moved(get(), right / height, -lower / height)
        : turned(get(), -right * TURN_PER_PX, lower * TURN_PER_PX)
      return set(next)
    }
    if (now.length !== 2) return
    const [[fromX, fromY], [toX, toY]] = [centre(old), centre(now)]
    const twist = Math.atan2(Math.sin(slant(now) - slant(old)), Math.cos(slant(now) - slant(old)))
    const shifted = moved(get(), (toX - fromX) / height, (fromY - toY) / height)
    set(turned(zoomed(shifted, spread(old) / spread(now)), twist, 0))
  }
  const up = event => { fingers.delete(event.pointerId) }
  function wheel (event) {
    event.preventDefault()
    const lines = event.deltaMode === 1 ? 30 : 1
    set(zoomed(get(), ZOOM_PER_NOTCH ** (event.deltaY * lines)))
  }
  function key (event) {
    if (event.target !== place || event.ctrlKey || event.metaKey || event.altKey) return
    const change = (event.shiftKey && WITH_SHIFT[event.key]) || KEYS[event.key]
    if (change) set(change(get()))
    else if (event.key === 'Home' || event.key === '0') reset()
    else if (event.key === 'PageUp') step(event.shiftKey ? 10 : 1)
    else if (event.key === 'PageDown') step(event.shiftKey ? -10 : -1)
    else return
    event.preventDefault()
  }
  const menu = event => event.preventDefault()
  /** @type {[string, any, any?][]} */
  const listeners = [['pointerdown', down], ['pointermove', move], ['pointerup', up], ['pointercancel', up],
    ['lostpointercapture', up], ['wheel', wheel, { passive: false }], ['keydown', key], ['dblclick', reset], ['contextmenu', menu]]
  for (const [name, listener, options] of listeners) place.addEventListener(name, listener, options)
  return () => { for (const [name, listener] of listeners) place.removeEventListener(name, listener) }
}
