import { Type, type Static } from 'typebox'
import { BadInput, type ModelInfo } from '../../../core/index.js'
import { SharedSettings, type Database } from '../../database/index.js'
import type { Job, PlateFacts, Soak } from '../types.js'
import { LEAST_C, MOST_BED_C, MOST_CHAMBER_C, MOST_MINUTES } from './limits.js'

const MOST_ROWS = 32

const Row = Type.Object({
  material: Type.String({ minLength: 1, maxLength: 40, description: 'As the slicer calls it, such as ABS or PA-CF; in any case' }),
  bed: Type.Integer({ minimum: LEAST_C, maximum: MOST_BED_C, description: '°C; less where the model reaches less' }),
  chamber: Type.Union([Type.Integer({ minimum: LEAST_C, maximum: MOST_CHAMBER_C }), Type.Null()], {
    description: '°C that it has at least; null: no matter, as on models that do not measure it'
  }),
  minutes: Type.Integer({ minimum: 0, maximum: MOST_MINUTES, description: 'It is kept so warm for so long' })
})

export const Warming = Type.Object({
  rows: Type.Array(Row, { maxItems: MOST_ROWS, description: 'Empty: only jobs that ask for it are preceded by warming' }),
  otherwise: Type.Enum(['ask', 'start'], { description: 'If it does not get so warm: the same as `soak.otherwise` of a job' })
})
export type Warming = Static<typeof Warming>

export const NO_WARMING: Warming = { rows: [], otherwise: 'ask' }

const named = (material: string): string => material.trim().toUpperCase()

/** A table as it is stored. @throws PRN_ERR_BAD_INPUT for a material that is there twice */
export function checkWarming ({ rows, otherwise }: Warming): Warming {
  const known = new Set<string>()
  for (const { material } of rows) {
    const name = named(material)
    if (name === '') throw new BadInput('rows: a material has no name')
    if (known.has(name)) throw new BadInput(`rows: '${name}' is there twice`)
    known.add(name)
  }
  return { rows: rows.map(row => ({ ...row, material: named(row.material) })), otherwise }
}

/** What is warmed before jobs that say nothing of it, by material: what people have chosen on a page. */
export class UsualWarming extends SharedSettings<typeof Warming> {
  constructor (options: { readonly database: Pick<Database, 'query' | 'change'>, readonly now: () => number }) {
    super({ ...options, table: 'queue_settings', id: 'warming', schema: Warming, inFile: undefined, option: '' })
  }

  get table (): Warming { return this.value ?? NO_WARMING }
}

const least = (figures: readonly number[]): number => Math.min(...figures)

/**
 * What the table says for a plate, as far as a model can do it; undefined: nothing. All materials of the plate must be
 * in the table, and the lowest figures count: none of them is to be warmed more than it should.
 */
export function usualSoak (
  { rows, otherwise }: Warming, { filaments }: Pick<PlateFacts, 'filaments'>, model?: ModelInfo
): Soak | undefined {
  if (rows.length === 0 || filaments.length === 0) return undefined
  const found = filaments.map(({ type }) => rows.find(({ material }) => material === named(type)))
  const own = found.flatMap(row => row ?? [])
  if (own.length < found.length) return undefined
  const chamberC = least(own.map(({ chamber }) => chamber ?? 0))
  return {
    bedC: least([...own.map(({ bed }) => bed), model?.bedMaxC ?? MOST_BED_C]),
    chamberC: model === undefined
      ? chamberC
      : !model.chamberSensor ? 0 : model.chamberHeater === null ? chamberC : least([chamberC, model.chamberMaxC]),
    minutes: least(own.map(({ minutes }) => minutes)),
    otherwise
  }
}

/** What is warmed before a copy: what the job says, else what the table says. */
export const soakFor = (
  { needs: { soak } }: Pick<Job, 'needs'>, plate: Pick<PlateFacts, 'filaments'> | undefined, warming: Warming, model?: ModelInfo
): Soak | undefined => soak === undefined ? plate && usualSoak(warming, plate, model) : soak ?? undefined
