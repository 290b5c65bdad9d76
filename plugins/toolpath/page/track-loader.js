// Loads a plate's moves range by range, lowest layers first.

/** Lines of G-code in a request: the first picture must not wait for much. */
const FIRST_LINES = 20_000
const MOST_LINES = 160_000
const USUAL_HEIGHT_MM = 0.2
const MOST_HEIGHT_MM = 1.2

/**
 * Heights of layers, mm; of objects that are printed one after the other, each begins on the bed.
 * @param {readonly any[]} layers
 */
const heightsOf = layers => layers.map(({ z_mm: z }, at) => {
  const height = z - (layers[at - 1]?.z_mm ?? 0)
  return height > 0.02 && height <= MOST_HEIGHT_MM ? height : Math.min(USUAL_HEIGHT_MM, z || USUAL_HEIGHT_MM)
})

/**
 * Which layers are loaded together. Pure.
 * @param {readonly { layer: number, z_mm: number, line: number }[]} layers of the print, from 1
 * @param {number} lines of the whole file
 */
export function rangesOf (layers, lines) {
  const heights = heightsOf(layers)
  /** @type {{ first: number, last: number, heights: number[] }[]} */
  const ranges = []
  let from = 0
  let most = FIRST_LINES
  for (let at = 0; at < layers.length; at++) {
    const end = layers[at + 1]?.line ?? lines
    const isFull = end - layers[from].line >= most
    if (!isFull && at < layers.length - 1) continue
    ranges.push({ first: layers[from].layer, last: layers[at].layer, heights: heights.slice(from, at + 1) })
    from = at + 1
    most = Math.min(MOST_LINES, most * 2)
  }
  return ranges
}

/**
 * @param {string} address of the track, without a range
 * @param {ReturnType<typeof rangesOf>} ranges
 * @param {{ onPart: (part: import('./pack-track.js').Part, bytes: number) => void, onDone: () => void,
 *   onProblem: (reason: string) => void }} listener
 * @returns {() => void} stops it
 */
export function loadTrack (address, ranges, { onPart, onDone, onProblem }) {
  if (ranges.length === 0) { onDone(); return () => {} }
  const worker = new globalThis.Worker(new URL('./track-worker.js', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data: { part, bytes, isDone, problem } }) => {
    if (part) return onPart(part, bytes)
    worker.terminate()
    if (isDone) onDone()
    else onProblem(problem)
  }
  worker.onerror = ({ message }) => { worker.terminate(); onProblem(message || '') }
  worker.postMessage({ address: new URL(address, document.baseURI).href, ranges })
  return () => worker.terminate()
}
