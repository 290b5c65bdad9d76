/** A spool for a printer that starts with filament in it. */
export interface Spool {
  readonly id: string
  readonly type: string
  readonly brand: string
  /** Vendor's colour code; empty for a spool without a tag. */
  readonly code: string
  readonly colour: string
  readonly min: number
  readonly max: number
  readonly dryC: number
  readonly dryH: number
  readonly remain: number
}

const PLA = { type: 'PLA', min: 190, max: 240, dryC: 55, dryH: 8 }
const PETG = { type: 'PETG', min: 220, max: 260, dryC: 65, dryH: 8 }

/** Filled into the slots in this order; `undefined` is an empty slot. */
export const TAGGED_SPOOLS: readonly (Spool | undefined)[] = [
  { ...PLA, id: 'GFA00', brand: 'PLA Basic', code: 'A00-K0', colour: '000000FF', remain: 87 },
  { ...PLA, id: 'GFA01', brand: 'PLA Matte', code: 'A01-W2', colour: 'FFFFFFFF', remain: 64 },
  { ...PETG, id: 'GFG02', brand: 'PETG HF', code: 'G02-R0', colour: 'EB3A3AFF', remain: 42 },
  undefined,
  { ...PLA, id: 'GFA00', brand: 'PLA Basic', code: 'A00-B9', colour: '0A2989FF', remain: 15 },
  { ...PLA, id: 'GFA05', brand: 'PLA Silk', code: 'A05-Y4', colour: 'F4A925FF', remain: 98 },
  { id: 'GFB01', type: 'ASA', brand: 'ASA', code: 'B01-D0', colour: '8A949EFF', min: 240, max: 280, dryC: 80, dryH: 8, remain: 71 },
  { ...PETG, id: 'GFG02', brand: 'PETG HF', code: 'G02-G0', colour: '00AE42FF', remain: 33 }
]

/** Spools without a tag, as the small printers carry them. */
export const PLAIN_SPOOLS: readonly (Spool | undefined)[] = [
  { ...PLA, id: 'GFL99', brand: '', code: '', colour: '0ACC38FF', remain: 100 },
  { ...PLA, id: 'GFL99', brand: '', code: '', colour: 'FF6A13FF', remain: 100 },
  { ...PETG, id: 'GFG99', brand: '', code: '', colour: '161616FF', remain: 100 },
  { ...PLA, id: 'GFL99', brand: '', code: '', colour: 'FFFFFFFF', remain: 100 }
]

/** The spool of a heated single-slot unit. */
export const DRY_SPOOL: Spool =
  { id: 'GFN03', type: 'PA-CF', brand: 'PA-CF', code: 'N03-K0', colour: '1C1C1CFF', min: 260, max: 300, dryC: 80, dryH: 12, remain: 55 }
