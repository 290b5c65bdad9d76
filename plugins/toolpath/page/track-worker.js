// Loads the moves of some layers after others, and turns them into points, beside the page's own thread.

import { decodeTrack } from './decode-track.js'
import { packTrack } from './pack-track.js'

/** @type {any} the worker: the compiler takes this file for one of the page */
const worker = globalThis

async function load (address, { first, last }) {
  const response = await fetch(`${address}&layer=${first}-${last}`, { cache: 'no-store' })
  if (!response.ok) throw new Error(await reasonOf(response))
  return await response.arrayBuffer()
}

async function reasonOf (response) {
  const text = await response.text()
  try {
    const { reason, message } = JSON.parse(text)
    return reason || message || `HTTP ${response.status}`
  } catch {
    return text.slice(0, 300) || `HTTP ${response.status}`
  }
}

/** The next range is on its way while one is turned into points. */
async function loadAll ({ address, ranges }) {
  let next = load(address, ranges[0])
  for (let at = 0; at < ranges.length; at++) {
    const bytes = await next
    const following = ranges[at + 1]
    if (following) {
      next = load(address, following)
      next.catch(() => {}) // it is reported when its turn comes
    }
    const { first, last, heights } = ranges[at]
    const part = packTrack(decodeTrack(bytes), first, last, heights)
    worker.postMessage({ part, bytes: bytes.byteLength }, [part.points, part.outline])
  }
  worker.postMessage({ isDone: true })
}

worker.onmessage = ({ data }) => { loadAll(data).catch(error => worker.postMessage({ problem: error.message })) }
