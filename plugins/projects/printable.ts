import { open } from 'node:fs/promises'
import { isServiceError } from '../../core/index.js'
import { PlateRefused } from './errors.js'
import { readHostProject } from './host-project.js'

const EXPORT = 'slice it, and export the sliced file (.gcode.3mf)'
const MODELS = /\.(stl|obj|step|stp|amf|ply)$/i
const TOOLPATHS = /\.(gcode|g|gco|nc)$/i

/** What to do with a file whose name is not that of a sliced project; undefined when it may be one. */
export function howToSlice (name: string): string | undefined {
  if (/\.3mf$/i.test(name)) return undefined
  if (MODELS.test(name)) return `'${name}' is a model without toolpaths: open it in the slicer, ${EXPORT}`
  if (TOOLPATHS.test(name)) {
    return `'${name}' holds bare toolpaths, which do not say which filament they need: export the sliced file ` +
      '(.gcode.3mf) from the slicer instead'
  }
  return `'${name}' is no sliced project: its name must end in .3mf. Open the model in the slicer, ${EXPORT}`
}

/**
 * Checks a file on this host before it is copied to a card for printing.
 * @throws PRN_ERR_PLATE_REFUSED when nothing in it can be printed
 */
export async function checkPrintable (path: string, name: string): Promise<void> {
  const problem = howToSlice(name)
  if (problem !== undefined) throw new PlateRefused(`${problem}. Nothing was sent to the card`)
  try {
    if (await readHostProject(path, async ({ plates }) => plates.some(({ printable }) => printable))) return
  } catch (error) {
    if (!isServiceError(error)) throw error
    throw new PlateRefused(`'${name}' is broken: ${error.message}. Export it again from the slicer; nothing was sent to ` +
      'the card', { cause: error })
  }
  throw new PlateRefused(`'${name}' is not sliced: ${EXPORT}. Nothing was sent to the card`)
}

/** Projects are ZIP archives. */
async function isArchive (path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0)
    return bytesRead === 2 && buffer.toString('latin1') === 'PK'
  } finally {
    await file.close()
  }
}

/**
 * Checks an upload of unknown purpose: files meant for printing that cannot be printed are refused, others may be
 * copied to a card.
 * @returns a note for a file that no printer can print
 * @throws PRN_ERR_PLATE_REFUSED
 */
export async function judgeUpload (path: string, name: string): Promise<string | undefined> {
  const isMeant = MODELS.test(name) || TOOLPATHS.test(name) || (/\.3mf$/i.test(name) && await isArchive(path))
  if (!isMeant) return `No printer can print '${name}': it is no sliced project (.gcode.3mf)`
  await checkPrintable(path, name)
  return undefined
}
