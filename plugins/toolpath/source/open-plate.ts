import { BadArchive, openProjectArchive, readPlateRecord } from '../../projects/index.js'
import type { CardFile } from '../../files/index.js'
import { NoSlicedPlate, PlateTooLarge, PlateUnreadable } from '../errors.js'
import type { PlateSource } from './plate-source.js'

const MIB = 1024 ** 2
/** Bytes of G-code; the largest plates that slicers write have a third of it. */
const LARGEST_PLATE = 1_024 * MIB
const MD5_BYTES = 256
const PLATE = /^Metadata\/plate_(\d+)\.gcode$/

/** The G-code of one plate of a file, or a file of plain G-code, which has one plate. */
export async function openPlate (
  file: Pick<CardFile, 'entry' | 'read'>, plate: number, signal?: AbortSignal
): Promise<PlateSource> {
  const { path, size } = file.entry
  const isArchive = (await file.read(0, 2)).toString('latin1') === 'PK'
  const source = isArchive ? await fromArchive(file, plate, signal) : plainText(file, plate)
  if (source.size > LARGEST_PLATE || size > LARGEST_PLATE) throw new PlateTooLarge(path, LARGEST_PLATE / MIB)
  return source
}

function plainText (file: Pick<CardFile, 'entry' | 'read'>, plate: number): PlateSource {
  const { path, size } = file.entry
  if (plate !== 1) throw new NoSlicedPlate(path, plate, 'one plate')
  if (/\.3mf$/i.test(path)) throw new PlateUnreadable(path, 'it is no archive')
  const read = (start: number, length: number) => file.read(start, length)
  return { isDeflated: false, size, packedSize: size, md5: undefined, settings: {}, nozzleByTool: undefined, read }
}

async function fromArchive (
  file: Pick<CardFile, 'entry' | 'read'>, plate: number, signal?: AbortSignal
): Promise<PlateSource> {
  const { path } = file.entry
  try {
    const archive = await openProjectArchive(file, signal)
    const name = `Metadata/plate_${plate}.gcode`
    if (!archive.has(name)) throw new NoSlicedPlate(path, plate, platesIn(archive.names))
    const place = await archive.placeOf(name)
    if (place === undefined) throw new PlateUnreadable(path, `plate ${plate} is damaged or encrypted`)
    const stated = (await archive.read(`${name}.md5`, MD5_BYTES))?.toString('latin1').trim().toLowerCase()
    const { settings, nozzleByFilament } = await readPlateRecord(archive, plate)
    const { start, ...packed } = place
    return {
      ...packed,
      settings,
      nozzleByTool: nozzleByFilament,
      md5: stated !== undefined && /^[0-9a-f]{32}$/.test(stated) ? stated : undefined,
      read: (from, length) => file.read(start + from, length)
    }
  } catch (error) {
    if (error instanceof BadArchive) throw new PlateUnreadable(path, error.message, { cause: error })
    throw error
  }
}

function platesIn (names: readonly string[]): string {
  const plates = names.map(name => Number(PLATE.exec(name)?.[1] ?? 0)).filter(plate => plate > 0).sort((a, b) => a - b)
  return plates.length === 0 ? 'none' : `${plates.length === 1 ? 'plate' : 'plates'} ${plates.join(', ')}`
}
