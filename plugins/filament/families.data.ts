/**
 * Requirements of a material's family, for entries without their own: plate °C, and drying (°C and hours) in each AMS
 * model that dries. From usual processing data of these plastics; the drying temperatures stay within the limits of the
 * units (65 °C AMS 2 Pro, 85 °C AMS HT) and below softening.
 */
export interface Family {
  readonly plateC: number
  readonly dryC: { readonly AMS_2_PRO: number, readonly AMS_HT: number }
  readonly dryHours: { readonly AMS_2_PRO: number, readonly AMS_HT: number }
}

export const FAMILIES: Readonly<Record<string, Family>> = {
  PLA: { plateC: 55, dryC: { AMS_2_PRO: 45, AMS_HT: 50 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PETG: { plateC: 80, dryC: { AMS_2_PRO: 65, AMS_HT: 65 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PCTG: { plateC: 80, dryC: { AMS_2_PRO: 65, AMS_HT: 65 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PET: { plateC: 80, dryC: { AMS_2_PRO: 65, AMS_HT: 80 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  TPU: { plateC: 35, dryC: { AMS_2_PRO: 65, AMS_HT: 70 }, dryHours: { AMS_2_PRO: 18, AMS_HT: 12 } },
  ABS: { plateC: 90, dryC: { AMS_2_PRO: 65, AMS_HT: 80 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  ASA: { plateC: 90, dryC: { AMS_2_PRO: 65, AMS_HT: 80 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  HIPS: { plateC: 90, dryC: { AMS_2_PRO: 65, AMS_HT: 75 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PC: { plateC: 110, dryC: { AMS_2_PRO: 65, AMS_HT: 80 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PA: { plateC: 100, dryC: { AMS_2_PRO: 65, AMS_HT: 85 }, dryHours: { AMS_2_PRO: 24, AMS_HT: 12 } },
  PPA: { plateC: 100, dryC: { AMS_2_PRO: 65, AMS_HT: 85 }, dryHours: { AMS_2_PRO: 24, AMS_HT: 12 } },
  PPS: { plateC: 110, dryC: { AMS_2_PRO: 65, AMS_HT: 85 }, dryHours: { AMS_2_PRO: 24, AMS_HT: 12 } },
  PP: { plateC: 55, dryC: { AMS_2_PRO: 55, AMS_HT: 60 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PE: { plateC: 55, dryC: { AMS_2_PRO: 50, AMS_HT: 55 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PHA: { plateC: 55, dryC: { AMS_2_PRO: 45, AMS_HT: 50 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  EVA: { plateC: 60, dryC: { AMS_2_PRO: 45, AMS_HT: 45 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } },
  PVA: { plateC: 55, dryC: { AMS_2_PRO: 65, AMS_HT: 75 }, dryHours: { AMS_2_PRO: 18, AMS_HT: 12 } },
  BVOH: { plateC: 55, dryC: { AMS_2_PRO: 65, AMS_HT: 75 }, dryHours: { AMS_2_PRO: 18, AMS_HT: 12 } }
}

/** For a material of an unknown family: values that nearly every plastic tolerates. */
export const CAUTIOUS: Family =
  { plateC: 55, dryC: { AMS_2_PRO: 45, AMS_HT: 45 }, dryHours: { AMS_2_PRO: 12, AMS_HT: 8 } }
