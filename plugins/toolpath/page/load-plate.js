// What the page has to know of a plate: its summary, its layers, the colours of its filaments.

import { call } from 'shell'

/** A plate of 300 MB on a slow card. */
const READING_MS = 600_000
/** Side of a bed whose size the service does not say. */
const UNKNOWN_MM = 250
const FIRST_SINGLE_UNIT = 128
const HEX = /^#?([0-9a-f]{6})/i

/** Number of a tray in a mapping. */
const trayOf = ({ ams_id: ams, slot_id: slot }) =>
  ams < 0 ? slot : ams >= FIRST_SINGLE_UNIT ? ams + slot : ams * 4 + slot

const hexOf = text => {
  const found = HEX.exec(text ?? '')
  return found ? `#${found[1].toLowerCase()}` : undefined
}

/** Colours of filaments by number: those of the spools that would feed them, else those of the file. Pure. */
export function colorsOf (filaments, mapping, spools) {
  /** @type {Record<number, string>} */
  const colors = {}
  for (const { id, color } of filaments) {
    const tray = mapping?.[id - 1] ?? -1
    const isFeeding = one => tray >= 0 && trayOf(one) === tray && one.color_known !== false && one.type
    const spool = spools.find(isFeeding)
    const known = hexOf(spool?.color) ?? hexOf(color)
    if (known !== undefined) colors[id] = known
  }
  return colors
}

/** Whether a printer's state is about a plate. Pure. @param {any} doc @param {string} file @param {number} plate */
export function jobOn (doc, file, plate) {
  const job = doc?._active_job_info ?? {}
  const isBusy = ['RUNNING', 'PAUSE', 'PREPARE'].includes(doc?._printer_state?.gcode_state ?? '')
  if (!isBusy) return undefined
  const name = file.slice(file.lastIndexOf('/') + 1)
  const names = [name, name.replace(/(\.gcode)?(\.3mf)?$/i, '')]
  const path = job.project_info?.id
  const isFile = path ? path === file : job.gcode_file?.split('/').at(-1) === name || names.includes(job.subtask_name)
  const isPlate = !(job.plate_num > 0) || job.plate_num === plate
  if (!isFile || !isPlate) return undefined
  return { layer: job.current_layer ?? 0, layers: job.total_layers ?? 0, percent: job.print_percentage ?? 0 }
}

async function loadColors (params, spools) {
  if (!/\.3mf$/i.test(params.file)) return { colors: {}, plates: [params.plate] }
  const [props, preview] = await Promise.all([
    call('GET', 'get_3mf_props_for_file', params).catch(() => ({})),
    call('GET', 'preview_ams_mapping', params).catch(() => ({}))
  ])
  const filaments = preview.filaments ?? props.metadata?.filament ?? []
  return { colors: colorsOf(filaments, preview.resolved_ams_mapping, spools), plates: props.plates ?? [params.plate] }
}

/**
 * @param {{ printer?: string, file: string, plate: number }} params
 * @param {AbortSignal} signal
 * @throws {import('shell').ApiError}
 */
export async function loadPlate (params, signal) {
  const doc = await call('GET', 'printer', { printer: params.printer }, { signal }).catch(() => ({}))
  const coloring = loadColors(params, doc._printer_state?.spools ?? [])
  const summary = await call('GET', 'toolpath/summary', params, { signal, waitMs: READING_MS })
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
