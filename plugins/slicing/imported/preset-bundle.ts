import { BadInput, isServiceError } from '../../../core/index.js'
import { openProjectArchive } from '../../projects/index.js'
import { LONGEST_PRESET, readPresetFile, type PresetFile } from './preset-file.js'

const MOST_PRESETS = 400
const MIB = 1024 ** 2
/** Of all presets of a bundle together, unpacked: an archive can be small and its content endless. */
const MOST_UNPACKED = 16 * MIB
const ZIP_MARK = Buffer.from('PK\u0003\u0004')

/** Bundles of the desktop slicers are zips: `.bbscfg`, `.bbsflmt`, `.orca_printer`, `.orca_filament`, `.zip`. */
export const isBundle = (bytes: Buffer): boolean => bytes.subarray(0, ZIP_MARK.length).equals(ZIP_MARK)

async function openBundle (bytes: Buffer) {
  try {
    return await openProjectArchive({
      entry: { path: 'bundle', name: 'bundle', size: bytes.length, isFolder: false, modifiedAt: undefined },
      read: (start, length) => Promise.resolve(bytes.subarray(start, start + length))
    })
  } catch (error) {
    if (isServiceError(error)) throw new BadInput('The bundle is damaged. Export or copy it again', { cause: error })
    throw error
  }
}

/** Names of entries are only compared: nothing is written by them. @throws PRN_ERR_BAD_INPUT */
async function presetsInBundle (bytes: Buffer): Promise<PresetFile[]> {
  const archive = await openBundle(bytes)
  const names = archive.names.filter(name => name.toLowerCase().endsWith('.json') && !/(^|\/)bundle_structure\.json$/i.test(name))
  if (names.length > MOST_PRESETS) throw new BadInput(`The bundle has ${names.length} presets, more than ${MOST_PRESETS}`)
  const presets: PresetFile[] = []
  let unpacked = 0
  for (const name of names) {
    const content = await archive.read(name, LONGEST_PRESET)
    if (content === undefined) throw new BadInput('A preset of the bundle is damaged, or larger than 1 MiB')
    unpacked += content.length
    if (unpacked > MOST_UNPACKED) throw new BadInput(`The bundle unpacks to more than ${MOST_UNPACKED / MIB} MiB`)
    const preset = readPresetFile(content.toString('utf8'))
    if (preset) presets.push(preset)
  }
  return presets
}

/**
 * Presets in the bytes of a file: a bundle, or one preset as JSON.
 * @throws PRN_ERR_BAD_INPUT if there are none
 */
export async function presetsIn (bytes: Buffer): Promise<readonly PresetFile[]> {
  if (isBundle(bytes)) {
    const presets = await presetsInBundle(bytes)
    if (presets.length === 0) throw new BadInput('The bundle has no presets of OrcaSlicer or Bambu Studio')
    return presets
  }
  const preset = bytes.length > 4 * LONGEST_PRESET ? undefined : readPresetFile(bytes.toString('utf8'))
  if (preset === undefined) {
    throw new BadInput('This is not a preset of OrcaSlicer or Bambu Studio: choose JSON files of a printer, a process and a ' +
      'filament, or a bundle that the slicer exported')
  }
  return [preset]
}
