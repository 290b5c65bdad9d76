// What the page has to know of a plate: its summary, its layers, the colours of its filaments.

import { call } from 'shell'
import { colorsOf } from './colors.js'

/** A plate of 300 MB on a slow card. */
const READING_MS = 600_000
/** Side of a bed whose size the service does not say. */
const UNKNOWN_MM = 250
async function loadColors (params, spools, mapping) {
  if (!/\.3mf$/i.test(params.file) || params.file.startsWith('library:')) return { colors: {}, plates: [params.plate] }
  const [props, preview] = await Promise.all([
    call('GET', 'get_3mf_props_for_file', params).catch(() => ({})),
    call('GET', 'preview_ams_mapping', params).catch(() => ({}))
  ])
  const filaments = preview.filaments ?? props.metadata?.filament ?? []
  const colors = colorsOf(filaments, mapping ?? preview.resolved_ams_mapping, spools)
  return { colors, plates: props.plates ?? [params.plate] }
}

/** @param {string | undefined} text */
function mappingIn (text) {
  try {
    const trays = JSON.parse(text ?? 'null')
    return Array.isArray(trays) ? trays : undefined
  } catch {
    return undefined // the service says what is wrong with it
  }
}

/**
 * @param {{ printer?: string, file: string, plate: number, ams_mapping?: string, bed_type?: string }} given
 * @param {AbortSignal} signal
 * @throws {import('shell').ApiError}
 */
export async function loadPlate ({ ams_mapping: mapping, bed_type: bedType, ...params }, signal) {
  const doc = await call('GET', 'printer', { printer: params.printer }, { signal }).catch(() => ({}))
  const coloring = loadColors(params, doc._printer_state?.spools ?? [], mappingIn(mapping))
  const summary = await call('GET', 'toolpath/summary', { ...params, ams_mapping: mapping, bed_type: bedType }, { signal, waitMs: READING_MS })
  const [{ layers }, { colors, plates }] = await Promise.all([
    call('GET', 'toolpath/layers', { ...params, layer: '1-' }, { signal, waitMs: READING_MS }), coloring
  ])
  return { summary, layers, colors, plates, doc, bed: doc._limits?.volume_mm ?? [UNKNOWN_MM, UNKNOWN_MM, UNKNOWN_MM] }
}

/** Sliced files on a printer's card, newest first. @param {string} printer */
export async function listPlates (printer) {
  const { children = [] } = await call('GET', 'get_sdcard_contents', { printer: printer || undefined }, { waitMs: 60_000 })
  const files = []
  const visit = nodes => {
    for (const { id, name, children: inside, timestamp, size } of nodes) {
      if (inside) visit(inside)
      else if (/\.(3mf|gcode)$/i.test(name)) files.push({ id, name, timestamp, size })
    }
  }
  visit(children)
  return files.sort((a, b) => b.timestamp - a.timestamp).slice(0, 200)
}
