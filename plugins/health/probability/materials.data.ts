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

const material = (closed: number, open: number, thirst: Material['thirst'], curve: Curve): Material =>
  ({ closed, open, thirst, curve })

export const OTHER = material(0.08, 0.15, 2, 'front')

/** By upper-case name without spaces. */
export const MATERIALS: Readonly<Record<string, Material>> = {
  PLA: material(0.02, 0.05, 1, 'front'),
  'PLA+': material(0.02, 0.05, 1, 'front'),
  'PLA-CF': material(0.03, 0.07, 1, 'front'),
  PETG: material(0.05, 0.08, 2, 'front'),
  'PETG-HF': material(0.05, 0.08, 2, 'front'),
  'PETG-CF': material(0.05, 0.1, 2, 'front'),
  ABS: material(0.1, 0.35, 3, 'front'),
  'ABS-GF': material(0.1, 0.35, 3, 'front'),
  ASA: material(0.1, 0.3, 3, 'front'),
  HIPS: material(0.08, 0.2, 2, 'front'),
  TPU: material(0.15, 0.2, 1, 'distributed'),
  TPU95A: material(0.15, 0.2, 1, 'distributed'),
  TPE: material(0.18, 0.22, 1, 'distributed'),
  PA: material(0.15, 0.38, 4, 'mixed'),
  PA12: material(0.15, 0.38, 4, 'mixed'),
  PAHT: material(0.18, 0.4, 4, 'mixed'),
  'PA-CF': material(0.12, 0.35, 3, 'mixed'),
  'PA6-CF': material(0.12, 0.35, 3, 'mixed'),
  PC: material(0.2, 0.5, 3, 'front'),
  'PC+ABS': material(0.15, 0.4, 3, 'front'),
  PVA: material(0.15, 0.2, 4, 'distributed')
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
