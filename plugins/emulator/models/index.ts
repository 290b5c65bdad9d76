import { A1, A1_MINI, P1P, P1S } from './legacy.js'
import { H2D, H2D_PRO, H2S, P2S, X1, X1C, X1E, X2D } from './modern.js'
import { MODELS, type ModelName, type Traits } from './traits.js'

const TABLE: Readonly<Record<ModelName, Traits>> =
  { A1_MINI, A1, P1P, P1S, X1, X1C, X1E, P2S, H2S, H2D, H2D_PRO, X2D }

export const traitsOf = (model: ModelName): Traits => TABLE[model]

const key = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The short spelling in printer names: `A1_MINI` becomes `a1-mini`. */
export const slug = (model: ModelName): string => model.toLowerCase().replaceAll('_', '-')

/**
 * Reads a model's name in any case, with any separators or none: `A1 mini`, `a1-mini`, `a1mini`.
 *
 * @throws RangeError that lists the names
 */
export function parseModel (text: string): ModelName {
  const wanted = key(text)
  const model = MODELS.find(name => key(name) === wanted)
  if (model !== undefined) return model
  throw new RangeError(`No virtual printer model '${text}'. Known: ${MODELS.map(slug).join(', ')}`)
}
