import type { CardEntry } from '../files/index.js'
import { dataUri } from './images.js'
import { modelsFor } from './mapping/misfit.js'
import { externalTrays } from './read/external.js'
import type { ImageKind, Plate, Project } from './read/project.js'

/** A project file on the card. */
export interface Source {
  readonly entry: CardEntry
  /** Upper-case hexadecimal; empty for a large file, which is read only in parts. */
  readonly md5: string
  readonly project: Project
}

export type PlateImages = Readonly<Record<ImageKind, Buffer | undefined>>

const OMITTED: Readonly<Record<ImageKind, string>> = {
  thumbnail: '[image left out: get_plate_thumbnail has it]',
  topimg: '[image left out: get_plate_topview has it]'
}

const imageText = (images: PlateImages | undefined, kind: ImageKind): string => {
  if (images === undefined) return OMITTED[kind]
  const bytes = images[kind]
  return bytes === undefined ? '' : dataUri('image/png', bytes)
}

/** An example of a mapping's layout: each filament id at its index. Never to be sent. */
function placeholder ({ filaments, filamentExtruders }: Plate): string[] {
  const ids = new Set(filaments.map(({ id }) => id))
  const length = filamentExtruders.length > 0 ? filamentExtruders.length : Math.max(0, ...ids)
  return Array.from({ length }, (_, at) => String(ids.has(at + 1) ? at + 1 : -1))
}

const MS_PER_SECOND = 1000

/**
 * The documented record of one plate.
 * @param images undefined: a note takes their place
 */
export function projectRecord ({ entry, md5, project }: Source, plate: Plate, images: PlateImages | undefined,
  dualPrinter: boolean) {
  return {
    id: entry.path,
    name: entry.name,
    size: entry.size,
    timestamp: Math.floor((entry.modifiedAt ?? 0) / MS_PER_SECOND),
    md5,
    plate_num: plate.number,
    plates: [...project.plates],
    metadata: {
      thumbnail: imageText(images, 'thumbnail'),
      topimg: imageText(images, 'topimg'),
      map: {
        ...plate.map.fields,
        bbox_objects: plate.boxes.map(({ id, name, bounds, fields }) =>
          ({ ...fields, id, name, bbox: [...bounds], val: [...bounds] }))
      },
      filament: plate.filaments.map(({ id, type, color }) => ({ id, type, color })),
      ams_mapping: placeholder(plate),
      filament_extruders: [...plate.filamentExtruders],
      physical_extruder_map: [...plate.physicalExtruders],
      external_spool_trays: [...externalTrays(plate, dualPrinter)],
      slicer_settings: project.settings.slicer,
      printable: plate.printable,
      bed_type: plate.bedType,
      seconds: plate.seconds ?? null,
      grams: plate.grams ?? null,
      nozzle_diameters: [...plate.nozzleDiametersMm],
      models: modelsFor(plate)
    }
  }
}

export type ProjectRecord = ReturnType<typeof projectRecord>
