import type { ModelProblem } from '../types.js'

type Figures = ModelProblem['figures']

export const stopProblem = (code: string, message: string, remedy: string, figures: Figures = {}): ModelProblem =>
  ({ code, weight: 'stop', message, remedy, figures })

export const repairProblem = (code: string, message: string, remedy: string, figures: Figures = {}): ModelProblem =>
  ({ code, weight: 'repair', message, remedy, figures })

export const noteProblem = (code: string, message: string, remedy: string, figures: Figures = {}): ModelProblem =>
  ({ code, weight: 'note', message, remedy, figures })

/** `1 edge`, `2 edges`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

const shown = (mm: number): string => String(Number(mm.toPrecision(mm >= 100 ? 4 : 3)))

/** `20 × 20 × 5`. */
export const shownSize = (sizeMm: readonly number[]): string => sizeMm.map(shown).join(' × ')
