import type { Layer } from '../layers.js'
import type { Declared } from '../read/declared.js'
import { finding, rounded, sorted } from './finding.js'
import type { Finding, PlateRead, SpoolLeft, Target } from './types.js'
import { gramsByTool } from './whole.js'

/** mm of filament: less is a retraction that a slicer put before the first change. */
const SOME = 1

/** Finds what depends on what a print would be started with. It needs no file, only what was read of it. */
export function startFindings (plate: Pick<PlateRead, 'declared' | 'layers'>, target: Target): readonly Finding[] {
  return sorted([
    ...mappingFindings(plate.layers, target.mapping),
    ...bedFindings(plate.declared, target.bedType),
    ...nozzleFindings(plate.declared, target.nozzles),
    ...startCodeFindings(plate.declared, target.acceptsOwnStartCode === true),
    ...spoolFindings(plate, target)
  ])
}

function mappingFindings (layers: readonly Layer[], mapping: readonly number[] | undefined): readonly Finding[] {
  if (mapping === undefined) return []
  const first = new Map<number, { readonly layer: number, readonly line: number }>()
  for (const [layer, { extruded, line }] of layers.entries()) {
    if (layer === 0) continue // what the start code purges comes from the spool that is loaded anyway
    for (const [tool, { part, prime, flush }] of extruded) {
      if (part + prime + flush > SOME && !first.has(tool)) first.set(tool, { layer, line })
    }
  }
  return [...first].filter(([tool]) => (mapping[tool] ?? -1) < 0).map(([tool, where]) =>
    finding('filament_not_mapped', 'stop', where, {
      message: `needs filament ${tool + 1}, for which no spool was chosen`,
      remedy: 'Choose a spool for every filament of the plate.',
      figures: { filament: tool + 1 }
    }))
}

/** Surfaces by their names in slicers and reports, without spaces and signs. */
const BEDS: Readonly<Record<string, string>> = {
  coolplate: 'cool plate',
  engineeringplate: 'engineering plate',
  engplate: 'engineering plate',
  hightempplate: 'high temperature plate',
  hotplate: 'high temperature plate',
  smoothpeiplate: 'high temperature plate',
  smoothpeiplatehightempplate: 'high temperature plate',
  texturedpeiplate: 'textured PEI plate',
  texturedplate: 'textured PEI plate',
  texturedcoolplate: 'textured cool plate',
  supertackplate: 'SuperTack plate',
  coolplatesupertack: 'SuperTack plate'
}

const bedOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : BEDS[name.toLowerCase().replaceAll(/[^a-z]/g, '')]

function bedFindings ({ bedType }: Declared, asked: string | undefined): readonly Finding[] {
  const [sliced, chosen] = [bedOf(bedType), bedOf(asked)]
  if (sliced === undefined || chosen === undefined || sliced === chosen) return []
  return [finding('other_bed', 'warn', {}, {
    message: `the plate was sliced for the ${sliced}, but the ${chosen} was chosen`,
    remedy: `Put the ${sliced} into the printer, or slice it again for the ${chosen}.`,
    figures: { sliced, chosen }
  })]
}

function nozzleFindings ({ nozzleMm }: Declared, nozzles: readonly number[]): readonly Finding[] {
  const isThere = nozzleMm.some(wanted => nozzles.some(nozzle => Math.abs(nozzle - wanted) < 0.01))
  if (nozzleMm.length === 0 || nozzles.length === 0 || isThere) return []
  return [finding('other_nozzle', 'warn', {}, {
    message: `the plate was sliced for a nozzle of ${nozzleMm[0]} mm, but the printer has ${nozzles.join(' and ')} mm`,
    remedy: 'Change the nozzle, or slice it again for the one in the printer.',
    figures: { sliced: nozzleMm[0]!, nozzle: nozzles.join(', ') }
  })]
}

function startCodeFindings ({ ownStartCode }: Declared, isAccepted: boolean): readonly Finding[] {
  if (ownStartCode === undefined || isAccepted) return []
  return [finding('untried_start_code', 'stop', {}, {
    message: 'it moves and heats the printer with the built-in start code, which was tried on virtual printers only',
    remedy: 'Read what it does on the page Slice and allow it for this printer, or slice with your desktop slicer.'
  })]
}

function spoolFindings ({ declared, layers }: Pick<PlateRead, 'declared' | 'layers'>, target: Target): readonly Finding[] {
  return [...target.spools ?? []].flatMap(spool => {
    const used = usedByLayer(declared, layers, spool.tools)
    return (used.at(-1) ?? 0) <= spool.grams ? [] : [runsOut(spool, used, layers, target.startsAt ?? Date.now())]
  })
}

/** g of the filament of some tools that are gone at the end of each layer. */
function usedByLayer (declared: Declared, layers: readonly Layer[], tools: readonly number[]): readonly number[] {
  let grams = 0
  return layers.map(({ extruded }) => {
    for (const tool of tools) {
      const { part, prime, flush } = extruded.get(tool) ?? { part: 0, prime: 0, flush: 0 }
      grams += gramsByTool(declared, tool, part + prime + flush)
    }
    return grams
  })
}

function runsOut (
  { tools, grams, backupGrams, place }: SpoolLeft, used: readonly number[], layers: readonly Layer[], startsAt: number
): Finding {
  const needed = used.at(-1) ?? 0
  const isBackedUp = needed <= grams + backupGrams
  const lasts = isBackedUp ? grams : grams + backupGrams
  const layer = used.findIndex(sum => sum > lasts)
  const total = layers.reduce((sum, { seconds }) => sum + seconds, 0)
  const seconds = layers.slice(0, layer).reduce((sum, { seconds }) => sum + seconds, 0)
  const percent = total > 0 ? Math.floor(seconds / total * 100) : 0
  const at = new Date(startsAt + seconds * 1_000)
  const until = `layer ${layer} of ${layers.length - 1} (${percent} %), at about ${at.toTimeString().slice(0, 5)}`
  const figures = {
    filament: tools[0]! + 1,
    filaments: tools.map(tool => tool + 1).join(', '),
    ...place !== undefined && { place },
    grams: rounded(needed),
    left_grams: rounded(grams),
    backup_grams: rounded(backupGrams),
    lasting_grams: rounded(lasts),
    layer,
    layers: layers.length - 1,
    percent,
    seconds: Math.round(seconds),
    at: at.toISOString()
  }
  const where = { line: layers[layer]!.line, layer }
  const numbers = tools.map(tool => tool + 1).join(' and ')
  const spool = place === undefined ? 'its spool' : `the spool in ${place}`
  const needs = `filament ${numbers} needs ${rounded(needed)} g`
  if (isBackedUp) {
    return finding('spool_runs_out', 'note', where, {
      message: `${needs}; ${spool} has ${rounded(grams)} g and ends in ${until}, where the printer changes to the next spool`,
      remedy: 'Nothing to do while the other spool stays where it is.',
      figures: { ...figures, case: 'changes_over' }
    })
  }
  const left = backupGrams > 0 ? `${spool} and its backup have ${rounded(lasts)} g` : `${spool} has ${rounded(grams)} g`
  return finding('spool_runs_out', 'warn', where, {
    message: `${needs}, but ${left} left and will end in ${until}`,
    remedy: 'Choose another spool, or have one ready when the printer pauses.',
    figures: { ...figures, ...backupGrams > 0 && { case: 'backed_up' } }
  })
}
