// What is wrong with a file that somebody wants to print, before any of it is uploaded. Pure.

const TAIL_BYTES = 66_000
const MOST_LIST_BYTES = 4_000_000
const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const ENTRY_BYTES = 46
const MODELS = /\.(stl|obj|step|stp|amf|ply|glb)$/i
const PLATE = /^Metadata\/plate_\d+\.gcode$/

/** @param {Blob} blob */
const viewOf = async blob => new DataView(await blob.arrayBuffer())

/** Place of the mark at the end of a ZIP archive; -1 without one. @param {DataView} tail */
function endIn (tail) {
  for (let at = tail.byteLength - 22; at >= 0; at--) {
    if (tail.getUint32(at, true) === END_MARK) return at
  }
  return -1
}

/**
 * Names in a ZIP archive's list of contents; undefined if it is none, or cut off.
 * @param {Blob} file
 */
async function namesIn (file) {
  const from = Math.max(0, file.size - TAIL_BYTES)
  const tail = await viewOf(file.slice(from))
  const end = endIn(tail)
  if (end < 0) return undefined
  const [bytes, start] = [tail.getUint32(end + 12, true), tail.getUint32(end + 16, true)]
  if (bytes > MOST_LIST_BYTES || start + bytes > file.size) return undefined
  const list = await viewOf(file.slice(start, start + bytes))
  const names = []
  for (let at = 0; at + ENTRY_BYTES <= list.byteLength && list.getUint32(at, true) === ENTRY_MARK;) {
    const [name, extra, comment] = [28, 30, 32].map(place => list.getUint16(at + place, true))
    names.push(new TextDecoder().decode(list.buffer.slice(at + ENTRY_BYTES, at + ENTRY_BYTES + name)))
    at += ENTRY_BYTES + name + extra + comment
  }
  return names
}

/**
 * Why a file cannot be printed.
 * @param {File} file
 * @returns {Promise<'' | 'empty' | 'model' | 'gcode' | 'other' | 'damaged' | 'unsliced'>} empty if it may be printed
 */
export async function fileProblem (file) {
  if (MODELS.test(file.name)) return 'model'
  if (/\.(gcode|gco|g)$/i.test(file.name) && !/\.3mf$/i.test(file.name)) return 'gcode'
  if (!/\.3mf$/i.test(file.name)) return 'other'
  if (file.size === 0) return 'empty'
  const names = await namesIn(file).catch(() => undefined)
  if (names === undefined || names.length === 0) return 'damaged'
  return names.some(name => PLATE.test(name)) ? '' : 'unsliced'
}
