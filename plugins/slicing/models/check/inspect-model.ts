import { readModel } from '../read/index.js'
import type { CheckAborted } from '../refusal.js'
import type { ModelFile } from '../tasks.js'
import type { ModelPart, ModelProblem, ModelReport } from '../types.js'
import { checkPart } from './check-part.js'
import { noteProblem, shownSize } from './problems.js'

/** Nothing that is printed is smaller than this in every direction. */
const SMALL_MM = 1
/** No bed is as large as this. */
const LARGE_MM = 2_000
const MM_PER_INCH = 25.4
const MM_PER_METRE = 1_000
const MM_PER_MICRON = 0.001
/** Of a model in metres, a large print has about this size, mm. */
const LIKELY_MM = 400

/** STL and OBJ have no unit: a size that nobody prints was probably meant in another one. */
function checkUnit (format: ModelReport['format'], parts: readonly ModelPart[]): ModelProblem[] {
  const largest = parts.reduce<ModelPart | undefined>((most, part) =>
    most === undefined || Math.max(...part.sizeMm) > Math.max(...most.sizeMm) ? part : most, undefined)
  if (largest === undefined) return []
  const longest = Math.max(...largest.sizeMm)
  const times = (factor: number): string => shownSize(largest.sizeMm.map(size => size * factor))
  const now = shownSize(largest.sizeMm)
  const stated = format === '3mf' ? 'It states its unit.' : 'Its format has no unit: millimetres are assumed.'
  if (longest > 0 && longest < SMALL_MM) {
    const isMetres = longest * MM_PER_METRE <= LIKELY_MM
    const [metres, inches] = [`in metres it would be ${times(MM_PER_METRE)} mm`, `in inches ${times(MM_PER_INCH)} mm`]
    return [noteProblem('small', `The model is only ${now} mm large. ${stated} Made ${metres}, ${inches}.`,
      isMetres ? 'Scale it by 1000 if it was made in metres, or by 25.4 for inches.' : 'Scale it by 25.4 if it was made in inches.',
      { sizeMm: now, ifMetresMm: times(MM_PER_METRE), ifInchesMm: times(MM_PER_INCH) })]
  }
  if (longest > LARGE_MM) {
    return [noteProblem('large', `The model is ${now} mm large. ${stated} Made in micrometres it would be ${times(MM_PER_MICRON)} mm.`,
      'Scale it by 0.001 if it was made in micrometres, or by what makes it fit.',
      { sizeMm: now, ifMicronsMm: times(MM_PER_MICRON) })]
  }
  return []
}

/** @throws Refusal for a file that cannot be read */
export async function inspectModel (file: ModelFile, checkAborted: CheckAborted): Promise<ModelReport> {
  const { format, unit, parts: raw, problems } = await readModel(file, checkAborted)
  const parts = raw.map((part, index) => {
    checkAborted()
    return checkPart(part, index)
  })
  return { format, unit, parts, problems: [...problems, ...checkUnit(format, parts)] }
}
