import { MOST_FILAMENTS } from '../limits.js'
import type { GcodeHead } from './gcode-head.js'
import type { PlateMap } from './plate-map.js'
import type { ProjectSettings } from './settings.js'
import type { Filament, SlicedPlate } from './slice-info.js'

interface Sources {
  readonly sliced: SlicedPlate | undefined
  readonly map: PlateMap
  readonly settings: ProjectSettings
  readonly head: GcodeHead | undefined
}

const byId = (ids: readonly number[], describe: (id: number) => Filament): Filament[] =>
  [...new Set(ids)].sort((a, b) => a - b).map(describe)

function fromMap ({ map, settings }: Sources): Filament[] {
  return byId(map.filamentIds.map(id => id + 1), id => ({
    id,
    type: settings.filamentTypes[id - 1] ?? '',
    color: settings.filamentColors[id - 1] || (map.filamentColors[map.filamentIds.indexOf(id - 1)] ?? '')
  }))
}

const fromHead = ({ head }: Sources): Filament[] => head === undefined
  ? []
  : byId(head.filamentIds.filter(id => id > 0 && id <= MOST_FILAMENTS), id =>
    ({ id, type: head.types[id - 1] ?? '', color: head.colors[id - 1] ?? '' }))

/** The filaments of a plate: as the slicer listed them, else by its map and the project, else by the toolpaths. */
export function filamentsOf (sources: Sources): readonly Filament[] {
  const listed = sources.sliced?.filaments ?? []
  if (listed.length > 0) return listed
  const mapped = fromMap(sources)
  return mapped.length > 0 ? mapped : fromHead(sources)
}
