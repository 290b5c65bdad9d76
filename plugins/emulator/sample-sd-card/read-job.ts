import type { JobPlan } from '../machine/types.js'
import { readHead, readZip } from './zip.js'

/** Error numbers of a printer for a missing and for an unreadable file. */
export const FILE_ERROR = { MISSING: 0x05004002, UNREADABLE: 0x05004003 } as const

const TEXT_BYTES = 4 * 1024 * 1024
const SECONDS_PER_MINUTE = 60

/** The part of `slice_info.config` that is about one plate. */
function plateOf (text: string, plate: number): string {
  const plates = text.split('<plate>').slice(1).map(part => part.split('</plate>')[0] ?? '')
  return plates.find(part => valueOf(part, 'index') === plate) ?? ''
}

function valueOf (part: string, key: string): number | undefined {
  const text = new RegExp(`key="${key}"\\s+value="([\\d.]+)"`).exec(part)?.[1]
  return text === undefined ? undefined : Number(text)
}

const idsOf = (part: string): number[] =>
  [...part.matchAll(/<object\s[^>]*identify_id="(\d+)"/g)].map(found => Number(found[1]))

function layersOf (gcode: string): number | undefined {
  const text = /^; total layer number: (\d+)/m.exec(gcode)?.[1]
  return text === undefined ? undefined : Number(text)
}

const BED = /^M1[49]0 S(\d+)/m

/** What a plate of an archive does when printed; without toolpaths it ends in an error, like an unreadable file. */
export function readJob (archive: Buffer, plate: number): JobPlan {
  try {
    const entries = readZip(archive)
    const gcode = readHead(archive, `Metadata/plate_${plate}.gcode`)?.toString('utf8')
    if (gcode === undefined) return { failure: FILE_ERROR.UNREADABLE }
    const info = plateOf(entries.get('Metadata/slice_info.config')?.(TEXT_BYTES).toString('utf8') ?? '', plate)
    const seconds = valueOf(info, 'prediction')
    const [layers, bed] = [layersOf(gcode), BED.exec(gcode)?.[1]]
    return {
      objects: idsOf(info),
      ...(seconds !== undefined && { minutes: seconds / SECONDS_PER_MINUTE }),
      ...(layers !== undefined && { layers }),
      ...(bed !== undefined && { bed: Number(bed) })
    }
  } catch {
    return { failure: FILE_ERROR.UNREADABLE }
  }
}
