import type { AmsKind } from './traits.js'

interface AmsFacts {
  /** Bits 0 to 3 of the unit's `info`. */
  readonly type: number
  readonly slots: number
  /** Name of its module in the version report, before the unit's id. */
  readonly module: string
  readonly hw: string
  readonly serialPrefix: string
  readonly title: string
  readonly version: string
  /** °C that it can dry at; undefined without a dryer. */
  readonly dry: { readonly min: number, readonly max: number } | undefined
}

export const AMS_FACTS: Readonly<Record<AmsKind, AmsFacts>> = {
  AMS: {
    type: 1,
    slots: 4,
    module: 'ams',
    hw: 'AMS08',
    serialPrefix: '006',
    title: 'AMS',
    version: '00.00.06.75',
    dry: undefined
  },
  AMS_LITE: {
    type: 2,
    slots: 4,
    module: 'ams_f1',
    hw: 'AMS_F102',
    serialPrefix: '03C',
    title: 'AMS lite',
    version: '00.00.07.94',
    dry: undefined
  },
  AMS_2_PRO: {
    type: 3,
    slots: 4,
    module: 'n3f',
    hw: 'N3F05',
    serialPrefix: '19C',
    title: 'AMS 2 Pro',
    version: '04.00.21.87',
    dry: { min: 45, max: 65 }
  },
  AMS_HT: {
    type: 4,
    slots: 1,
    module: 'n3s',
    hw: 'N3S05',
    serialPrefix: '19F',
    title: 'AMS HT',
    version: '04.00.21.87',
    dry: { min: 45, max: 85 }
  }
}
