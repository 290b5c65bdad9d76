import { isServiceError } from '../../core/index.js'
import { PlateRefused } from './errors.js'
import { readHostProject } from './host-project.js'

const EXPORT = 'slice it, and export the sliced file (.gcode.3mf)'
const MODELS = /\.(stl|obj|step|stp|amf|ply)$/i
const TOOLPATHS = /\.(gcode|g|gco|nc)$/i

/** What to do with a file whose name says that it is no sliced project; undefined for one that may be. */
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
 * Looks into a file of this host before it goes to a card to be printed.
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
