// Turns moves into the points that the graphics card draws. Pure: it runs in a worker and in Node.

/** Bytes of a point; its members are listed in `createPoints`. */
export const POINT_BYTES = 16
/** What leads to a point. */
export const KIND = { none: 0, extrusion: 1, travel: 2 }

/** mm that are added to x and y, so that what lies in front of or beside the bed is not below 0. */
export const MARGIN_MM = 100
/** Steps of a position in a millimetre: 65,535 of them are 655 mm. */
export const STEPS_PER_MM = 100
const MOST_STEPS = 65_535
const WIDTH_STEPS_PER_MM = 50
const HEIGHT_STEPS_PER_MM = 100
const MOST_BYTE = 255
/** mm², of filament of 1.75 mm. */
const FILAMENT_MM2 = Math.PI * (1.75 / 2) ** 2
const FLOW_STEPS = 100
const SPEED_STEPS = 10
/** Steps of a temperature in a degree: 255 of them are 510 °C. */
const HEAT_STEPS = 0.5

/** Places in the list of features. */
export const FEATURES = [
  'none', 'outer_wall', 'inner_wall', 'overhang_wall', 'sparse_infill', 'solid_infill', 'top_surface', 'bottom_surface',
  'bridge', 'gap_infill', 'ironing', 'skirt', 'brim', 'support', 'support_interface', 'prime_tower', 'custom'
]
/** What can be seen of a part from outside, without that of files which name no features. */
const OUTSIDE = ['none', 'outer_wall', 'overhang_wall', 'top_surface', 'bridge', 'skirt', 'brim', 'support', 'prime_tower', 'custom']
const isOutside = FEATURES.map(name => OUTSIDE.includes(name))
/** mm that a simplified path may be beside the real one. */
const TOLERANCE_MM = 0.12
/** A simplified path keeps at least every so many points. */
const MOST_LEFT_OUT = 16

const FLAG_CHANGE = 8
const OTHER = FEATURES.length - 1

const clamped = (value, most) => value < 0 ? 0 : value > most ? most : value

/**
 * @typedef {ReturnType<typeof createPoints>} Points
 *
 * A growing list of points, little-endian:
 * uint16 x, y, z · uint8 width, height, feature, tool · uint16 speed (0.1 mm/s), flow (0.01 mm³/s) · uint8 kind,
 * target of the nozzle (2 °C)
 */
function createPoints (size) {
  let bytes = new ArrayBuffer(size * POINT_BYTES)
  let words = new Uint16Array(bytes)
  let octets = new Uint8Array(bytes)
  let count = 0
  function grow () {
    const wider = new Uint8Array(bytes.byteLength * 2)
    wider.set(octets)
    bytes = wider.buffer
    words = new Uint16Array(bytes)
    octets = wider
  }
  return {
    get count () { return count },
    add (x, y, z, width, height, feature, tool, speed, flow, kind, celsius) {
      if ((count + 1) * POINT_BYTES > bytes.byteLength) grow()
      const word = count * 8
      const octet = count * POINT_BYTES
      words[word] = clamped((x + MARGIN_MM) * STEPS_PER_MM, MOST_STEPS)
      words[word + 1] = clamped((y + MARGIN_MM) * STEPS_PER_MM, MOST_STEPS)
      words[word + 2] = clamped(z * STEPS_PER_MM, MOST_STEPS)
      octets[octet + 6] = clamped(width * WIDTH_STEPS_PER_MM, MOST_BYTE)
      octets[octet + 7] = clamped(height * HEIGHT_STEPS_PER_MM, MOST_BYTE)
      octets[octet + 8] = feature
      octets[octet + 9] = tool
      words[word + 5] = speed
      words[word + 6] = clamped(flow * FLOW_STEPS, MOST_STEPS)
      octets[octet + 14] = kind
      octets[octet + 15] = clamped(Math.round(celsius * HEAT_STEPS), MOST_BYTE)
      count++
    },
    /** @param {any} other list @param {number} at place in it */
    copy (other, at) {
      if ((count + 1) * POINT_BYTES > bytes.byteLength) grow()
      octets.set(other.octets.subarray(at * POINT_BYTES, (at + 1) * POINT_BYTES), count * POINT_BYTES)
      count++
    },
    get octets () { return octets },
    take: () => bytes.slice(0, count * POINT_BYTES)
  }
}

/** Width of a line by what is extruded, mm: its section is a rectangle with round sides. */
const widthOf = (section, height) => section / height + height * (1 - Math.PI / 4)

/** Leaves out points that lie on the way between others. */
class Simplifier {
  #points
  #outline
  /** Where the path that is being simplified begins, mm. */
  #fromX = 0
  #fromY = 0
  /** x and y of points that are left out so far. */
  #left = new Float32Array(2 * MOST_LEFT_OUT)
  #count = 0
  /** The last point, which may be left out: its place in the list, what it is of, x and y. */
  #last = -1
  #of = 0
  #lastX = 0
  #lastY = 0

  /** @param {Points} points all of them @param {Points} outline those that stay */
  constructor (points, outline) {
    this.#points = points
    this.#outline = outline
  }

  flush () {
    if (this.#last < 0) return
    this.#outline.copy(this.#points, this.#last)
    this.#fromX = this.#lastX
    this.#fromY = this.#lastY
    this.#last = -1
    this.#count = 0
  }

  /** A path begins elsewhere. @param {number} x @param {number} y @param {number} z */
  begin (x, y, z) {
    this.flush()
    this.#outline.add(x, y, z, 0, 0, 0, 0, 0, 0, KIND.none, 0)
    this.#fromX = x
    this.#fromY = y
  }

  /** The newest point of the list. @param {number} x @param {number} y @param {number} of feature and tool */
  add (x, y, of) {
    if (this.#last >= 0) {
      this.#left[2 * this.#count] = this.#lastX
      this.#left[2 * this.#count + 1] = this.#lastY
      this.#count++
      if (of !== this.#of || this.#count >= MOST_LEFT_OUT || !this.#isNear(x, y)) this.flush()
    }
    this.#last = this.#points.count - 1
    this.#of = of
    this.#lastX = x
    this.#lastY = y
  }

  #isNear (toX, toY) {
    const dx = toX - this.#fromX
    const dy = toY - this.#fromY
    const length = Math.sqrt(dx * dx + dy * dy)
    if (length === 0) return false
    for (let at = 0; at < this.#count; at++) {
      const x = this.#left[2 * at] - this.#fromX
      const y = this.#left[2 * at + 1] - this.#fromY
      const along = (x * dx + y * dy) / length
      if (Math.abs(x * dy - y * dx) > TOLERANCE_MM * length || along < 0 || along > length) return false
    }
    return true
  }
}

/** Where layers begin in a list of points. */
const createStarts = first => {
  /** @type {number[]} */
  const starts = []
  return {
    /** @param {number} layer @param {number} count points before it */
    begin (layer, count) { while (starts.length <= layer - first) starts.push(count) },
    end (last, count) { while (starts.length <= last - first + 1) starts.push(count); return starts }
  }
}

/**
 * What occurs: features, the greatest speed and flow, and the range of targets of the nozzle, 0 and 0 without any.
 *
 * @typedef {{ features: boolean[], speed: number, flow: number, coldest: number, hottest: number }} Has
 *
 * @typedef {object} Part layers of a plate as the renderer takes them
 * @property {number} first @property {number} last layers
 * @property {ArrayBuffer} points all of them
 * @property {number[]} starts by layer, from `first` to the one after `last`: its first point
 * @property {ArrayBuffer} outline points of what can be seen from outside, simplified
 * @property {number[]} outlineStarts
 * @property {Has} has
 */

/** @returns {Has} */
export const nothingOf = () => ({ features: FEATURES.map(() => false), speed: 0, flow: 0, coldest: 0, hottest: 0 })

/** @param {Has} one @param {Has} other @returns {Has} */
export const together = (one, other) => ({
  features: one.features.map((is, at) => is || other.features[at]),
  speed: Math.max(one.speed, other.speed),
  flow: Math.max(one.flow, other.flow),
  coldest: one.coldest > 0 && other.coldest > 0 ? Math.min(one.coldest, other.coldest) : one.coldest || other.coldest,
  hottest: Math.max(one.hottest, other.hottest)
})

/**
 * @param {readonly import('./decode-track.js').TrackChunk[]} chunks of the layers
 * @param {number} first @param {number} last layers
 * @param {readonly number[]} heights of the layers, mm, from `first` on
 * @returns {Part}
 */
export function packTrack (chunks, first, last, heights) {
  const total = chunks.reduce((sum, { count }) => sum + count + 1, 0)
  const points = createPoints(total)
  const outline = createPoints(Math.ceil(total / 6) + 16)
  const simplifier = new Simplifier(points, outline)
  const starts = createStarts(first)
  const outlineStarts = createStarts(first)
  const has = nothingOf()
  for (const chunk of chunks) {
    simplifier.flush()
    starts.begin(chunk.layer, points.count)
    outlineStarts.begin(chunk.layer, outline.count)
    packChunk(chunk, heights[chunk.layer - first] ?? 0.2, points, simplifier, has)
  }
  simplifier.flush()
  return {
    first,
    last,
    points: points.take(),
    starts: starts.end(last, points.count),
    outline: outline.take(),
    outlineStarts: outlineStarts.end(last, outline.count),
    has
  }
}

function packChunk (chunk, height, points, simplifier, has) {
  const { start, count, celsius, x, y, z, extruded, speed, feature, tool, flags } = chunk
  let [fromX, fromY, fromZ] = start
  let isOn = false
  let isHeated = false
  points.add(fromX, fromY, fromZ, 0, 0, 0, 0, 0, 0, KIND.none, celsius)
  for (let at = 0; at < count; at++) {
    const toX = x[at]
    const toY = y[at]
    const toZ = z[at]
    const length = Math.sqrt((toX - fromX) ** 2 + (toY - fromY) ** 2 + (toZ - fromZ) ** 2)
    if (length === 0) continue
    const isExtruded = extruded[at] > 0
    const what = (flags[at] & FLAG_CHANGE) !== 0 ? OTHER : feature[at]
    const section = isExtruded ? extruded[at] * FILAMENT_MM2 / length : 0
    const width = isExtruded ? clamped(widthOf(section, height), 2.4) : 0
    const flow = section * speed[at] / SPEED_STEPS
    const kind = isExtruded ? KIND.extrusion : KIND.travel
    points.add(toX, toY, toZ, width, height, what, tool[at], speed[at], flow, kind, celsius)
    const isSeen = isExtruded && isOutside[what] === true
    if (isExtruded) {
      has.features[what] = true
      if (speed[at] > has.speed) has.speed = speed[at]
      if (flow > has.flow && what !== OTHER) has.flow = flow
      isHeated ||= celsius > 0 && what !== OTHER
    }
    if (isSeen) {
      if (!isOn) simplifier.begin(fromX, fromY, fromZ)
      simplifier.add(toX, toY, what * 256 + tool[at])
    } else if (isOn) simplifier.flush()
    isOn = isSeen
    fromX = toX
    fromY = toY
    fromZ = toZ
  }
  if (!isHeated) return
  has.hottest = Math.max(has.hottest, celsius)
  has.coldest = has.coldest > 0 ? Math.min(has.coldest, celsius) : celsius
}
