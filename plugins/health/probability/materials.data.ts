/** When a material's prints fail: at the first layers, evenly, or a mixture. */
export type Curve = 'front' | 'mixed' | 'distributed'

export interface Material {
  /** Share of prints that fail in a closed and in an open machine. */
  readonly closed: number
  readonly open: number
  /** How much moisture matters, 1 little to 4 very. */
  readonly thirst: 1 | 2 | 3 | 4
  readonly curve: Curve
}

export const OTHER: Material = { closed: 0.08, open: 0.15, thirst: 2, curve: 'front' }

/** By upper-case name without spaces. */
export const MATERIALS: Readonly<Record<string, Material>> = {
  PLA: { closed: 0.02, open: 0.05, thirst: 1, curve: 'front' },
  'PLA+': { closed: 0.02, open: 0.05, thirst: 1, curve: 'front' },
  'PLA-CF': { closed: 0.03, open: 0.07, thirst: 1, curve: 'front' },
  PETG: { closed: 0.05, open: 0.08, thirst: 2, curve: 'front' },
  'PETG-HF': { closed: 0.05, open: 0.08, thirst: 2, curve: 'front' },
  'PETG-CF': { closed: 0.05, open: 0.1, thirst: 2, curve: 'front' },
  ABS: { closed: 0.1, open: 0.35, thirst: 3, curve: 'front' },
  'ABS-GF': { closed: 0.1, open: 0.35, thirst: 3, curve: 'front' },
  ASA: { closed: 0.1, open: 0.3, thirst: 3, curve: 'front' },
  HIPS: { closed: 0.08, open: 0.2, thirst: 2, curve: 'front' },
  TPU: { closed: 0.15, open: 0.2, thirst: 1, curve: 'distributed' },
  TPU95A: { closed: 0.15, open: 0.2, thirst: 1, curve: 'distributed' },
  TPE: { closed: 0.18, open: 0.22, thirst: 1, curve: 'distributed' },
  PA: { closed: 0.15, open: 0.38, thirst: 4, curve: 'mixed' },
  PA12: { closed: 0.15, open: 0.38, thirst: 4, curve: 'mixed' },
  PAHT: { closed: 0.18, open: 0.4, thirst: 4, curve: 'mixed' },
  'PA-CF': { closed: 0.12, open: 0.35, thirst: 3, curve: 'mixed' },
  'PA6-CF': { closed: 0.12, open: 0.35, thirst: 3, curve: 'mixed' },
  PC: { closed: 0.2, open: 0.5, thirst: 3, curve: 'front' },
  'PC+ABS': { closed: 0.15, open: 0.4, thirst: 3, curve: 'front' },
  PVA: { closed: 0.15, open: 0.2, thirst: 4, curve: 'distributed' }
}

/** Want a warm chamber, and a cool one. */
export const WARM: ReadonlySet<string> = new Set(['ABS', 'ASA', 'PA', 'PA12', 'PAHT', 'PC', 'PC+ABS', 'PA-CF', 'PA6-CF', 'ABS-GF'])
export const COOL: ReadonlySet<string> = new Set(['PLA', 'PLA+', 'PLA-CF'])

/** What moisture does, by thirst and by the index of the AMS: 0 unknown, 1 wet to 5 dry. */
export const MOISTURE: Readonly<Record<Material['thirst'], readonly number[]>> = {
  1: [1, 1.3, 1.15, 1.05, 1, 0.92],
  2: [1, 1.6, 1.35, 1.15, 1, 0.88],
  3: [1, 2, 1.65, 1.3, 1.05, 0.85],
  4: [1, 2.8, 2.2, 1.6, 1.15, 0.8]
}
