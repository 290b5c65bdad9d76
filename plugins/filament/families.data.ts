/**
 * What a material's family needs, for entries that do not say it themselves: plate °C, and drying (°C and
 * hours) in each AMS model that dries. Source: usual processing data of these plastics; the drying
 * temperatures stay within what the units reach (65 °C AMS 2 Pro, 85 °C AMS HT) and below softening.
 */
export interface Family {
  readonly plateC: number
  readonly dryC: { readonly AMS_2_PRO: number, readonly AMS_HT: number }
  readonly dryHours: { readonly AMS_2_PRO: number, readonly AMS_HT: number }
}

const family = (plateC: number, proC: number, htC: number, proHours: number, htHours: number): Family =>
  ({ plateC, dryC: { AMS_2_PRO: proC, AMS_HT: htC }, dryHours: { AMS_2_PRO: proHours, AMS_HT: htHours } })

export const FAMILIES: Readonly<Record<string, Family>> = {
  PLA: family(55, 45, 50, 12, 8),
  PETG: family(80, 65, 65, 12, 8),
  PCTG: family(80, 65, 65, 12, 8),
  PET: family(80, 65, 80, 12, 8),
  TPU: family(35, 65, 70, 18, 12),
  ABS: family(90, 65, 80, 12, 8),
  ASA: family(90, 65, 80, 12, 8),
  HIPS: family(90, 65, 75, 12, 8),
  PC: family(110, 65, 80, 12, 8),
  PA: family(100, 65, 85, 24, 12),
  PPA: family(100, 65, 85, 24, 12),
  PPS: family(110, 65, 85, 24, 12),
  PP: family(55, 55, 60, 12, 8),
  PE: family(55, 50, 55, 12, 8),
  PHA: family(55, 45, 50, 12, 8),
  EVA: family(60, 45, 45, 12, 8),
  PVA: family(55, 65, 75, 18, 12),
  BVOH: family(55, 65, 75, 18, 12)
}

/** For a material of no known family: what nearly every plastic stands. */
export const CAUTIOUS = family(55, 45, 45, 12, 8)
