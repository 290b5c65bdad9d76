import { filamentGrams, gramsUntil } from './filament-grams.js'
import { savingsFrom } from './object-use.js'
import { sorted } from './findings/finding.js'
import { startFindings } from './findings/start.js'
import { gramsByTool } from './findings/whole.js'
import type { Finding, Target } from './findings/types.js'
import type { Reading } from './reading.js'
import type { FindingView, LayerListView, ObjectListView, SummaryView } from './schemas.js'

const rounded = (value: number, digits = 2): number => Math.round(value * 10 ** digits) / 10 ** digits

/** A finding, for callers. */
export const viewOf = ({ mayAccept, position, ...finding }: Finding): FindingView =>
  ({ ...finding, may_accept: mayAccept, position: position ?? null })

/** All that is wrong with a plate on this printer, worst first. */
export function findingsOf ({ plate, findings }: Reading, target: Target): readonly Finding[] {
  return sorted([...findings, ...startFindings(plate, target)])
}

function md5Of ({ md5 }: Reading['plate']): SummaryView['md5'] {
  if (md5 === undefined) return 'none'
  return md5.stated.toLowerCase() === md5.computed ? 'right' : 'wrong'
}

/** Slicers list the weights of the filaments that they use, or of all; a sum is no weight of any of them. */
function slicerGrams ({ grams, used }: Reading['plate']['declared'], tool: number): number | null {
  if (grams.length === used.length) return grams[used.indexOf(tool)] ?? null
  return grams.length < used.length ? null : grams[tool] ?? null
}

/** A plate in figures. */
export function summaryOf (reading: Reading, file: string, number: number, target: Target): SummaryView {
  const { plate, facts, limits } = reading
  const { declared, layers } = plate
  const findings = findingsOf(reading, target)
  const count = (weight: Finding['weight']) => findings.filter(finding => finding.weight === weight).length
  const range = (of: readonly [number, number] | undefined) => of === undefined ? null : [...of]
  return {
    file,
    plate: number,
    slicer: declared.slicer ?? null,
    is_complete: !plate.isCutOff,
    md5: md5Of(plate),
    lines: plate.lines,
    layers: layers.length - 1,
    height_mm: rounded(layers.reduce((highest, { z }) => Math.max(highest, z), 0)),
    seconds: rounded(reading.seconds, 1),
    slicer_seconds: declared.seconds ?? null,
    speed_limits: limits,
    filaments: gramsUntil(plate).map(({ tool, part, prime, flush }) => ({
      filament: tool + 1,
      type: declared.types[tool] ?? '',
      part_g: rounded(part),
      prime_g: rounded(prime),
      flush_g: rounded(flush),
      slicer_g: slicerGrams(declared, tool)
    })),
    filament_changes: facts.filamentChanges,
    box_mm: facts.box === undefined ? null : { min: facts.box.min.map(mm), max: facts.box.max.map(mm) },
    objects: objectsOf(reading),
    temperatures: { nozzle: range(facts.heat.nozzle), bed: range(facts.heat.bed), chamber: range(facts.heat.chamber) },
    stops: count('stop'),
    warnings: count('warn'),
    notes: count('note'),
    findings: findings.map(viewOf)
  }
}
const mm = (value: number): number => rounded(value)

function objectsOf (reading: Reading): SummaryView['objects'] {
  const { is_known: isKnown, objects } = objectListOf(reading, '', 0, 0)
  return objects.map(({ filaments: _, ...object }) => isKnown ? object : { ...object, seconds: null, grams: null })
}

/** What skipping each object from a layer on saves. */
export function objectListOf (
  { plate: { declared }, facts, objects }: Reading, file: string, plate: number, fromLayer: number
): ObjectListView {
  const savings = savingsFrom(objects, fromLayer)
  return {
    file,
    plate,
    from_layer: fromLayer,
    is_known: savings !== undefined,
    objects: facts.objects.map(({ id, firstLayer, lastLayer }) => {
      const { seconds = 0, filament = [] } = savings?.get(id) ?? {}
      const filaments = [...filament].map(([tool, length]) => ({ tool, grams: gramsByTool(declared, tool, length) }))
      return {
        id,
        first_layer: firstLayer,
        last_layer: lastLayer,
        seconds: rounded(seconds, 1),
        grams: rounded(filaments.reduce((sum, { grams }) => sum + grams, 0)),
        filaments: filaments.sort((a, b) => a.tool - b.tool)
          .map(({ tool, grams }) => ({ filament: tool + 1, grams: rounded(grams) }))
      }
    })
  }
}

/** What a plate is at each layer. */
export function layerListOf (
  { plate: { declared, layers } }: Reading, file: string, plate: number, first: number, last: number
): LayerListView {
  let startsAt = 0
  const all = layers.map(({ z, seconds, line, extruded }, layer) => {
    const starts = startsAt
    startsAt += seconds
    return { layer, z, seconds, line, extruded, starts }
  })
  return {
    file,
    plate,
    total: layers.length - 1,
    layers: all.slice(first, last + 1).map(({ layer, z, seconds, line, extruded, starts }) => ({
      layer,
      z_mm: rounded(z),
      starts_at: rounded(starts),
      seconds: rounded(seconds),
      line,
      filaments: [...extruded].map(([tool, lengths]) => {
        const { part, prime, flush } = filamentGrams(declared, tool, lengths)
        return { filament: tool + 1, part_g: rounded(part, 3), prime_g: rounded(prime, 3), flush_g: rounded(flush, 3) }
      })
    }))
  }
}
