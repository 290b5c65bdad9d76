/** How a family of materials is printed by the built-in profiles, with careful values. */
export interface MaterialProfile {
  readonly name: string
  /** In the filament catalogue: the generic material, with temperatures and density. */
  readonly catalogueId: string
  /** mm³/s that any nozzle of brass melts well. */
  readonly flow: number
  /** Part fan after the first layers, per cent. */
  readonly fan: readonly [least: number, most: number]
  /** Of the speeds of the quality. */
  readonly speed: number
  /** The lid or door should be closed, or open. */
  readonly needsEnclosure: boolean
}

export const MATERIALS: readonly MaterialProfile[] = [
  { name: 'PLA', catalogueId: 'GFL99', flow: 12, fan: [60, 100], speed: 1, needsEnclosure: false },
  { name: 'PETG', catalogueId: 'GFG99', flow: 8, fan: [20, 50], speed: 0.8, needsEnclosure: false },
  { name: 'ABS', catalogueId: 'GFB99', flow: 10, fan: [0, 30], speed: 0.9, needsEnclosure: true },
  { name: 'ASA', catalogueId: 'GFB98', flow: 10, fan: [0, 30], speed: 0.9, needsEnclosure: true },
  { name: 'TPU', catalogueId: 'GFU99', flow: 3, fan: [40, 80], speed: 0.4, needsEnclosure: false },
  { name: 'PC', catalogueId: 'GFC99', flow: 8, fan: [0, 20], speed: 0.7, needsEnclosure: true },
  { name: 'PA', catalogueId: 'GFN99', flow: 8, fan: [0, 20], speed: 0.7, needsEnclosure: true }
]

/** Qualities in plain words. Layer heights are shares of the nozzle's diameter. */
export interface QualityProfile {
  readonly name: 'fine' | 'standard' | 'draft' | 'strong'
  readonly layer: number
  readonly walls: number
  readonly infillPct: number
  /** Of outer walls, mm/s. */
  readonly outerMmS: number
  readonly innerMmS: number
}

export const QUALITIES: readonly QualityProfile[] = [
  { name: 'fine', layer: 0.3, walls: 2, infillPct: 15, outerMmS: 60, innerMmS: 100 },
  { name: 'standard', layer: 0.5, walls: 2, infillPct: 15, outerMmS: 80, innerMmS: 140 },
  { name: 'draft', layer: 0.7, walls: 2, infillPct: 10, outerMmS: 100, innerMmS: 160 },
  { name: 'strong', layer: 0.5, walls: 4, infillPct: 40, outerMmS: 80, innerMmS: 140 }
]
