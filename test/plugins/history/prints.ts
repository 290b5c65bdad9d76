import type { VirtualJob } from '../../../plugins/emulator/index.js'

/** A recorded print, as the service tells of it. */
export interface Print {
  readonly id: string
  readonly name: string
  readonly serial: string
  readonly printer: string
  readonly result: string
  readonly percent: number
  readonly started_by: string
  readonly ended_by: string
  readonly events: readonly { readonly kind: string, readonly name: string }[]
  readonly [member: string]: unknown
}

export const brief = ({ name, result }: Print): string => `${name} ${result}`

/** A virtual printer that lives fast. */
export const QUICK = { speed: 600, reportEveryMs: 300 } as const

/** One that ends while a test waits, and one that does not. */
export const SHORT: VirtualJob = { name: 'short', layers: 20, minutes: 10, filament: { ams: 0, slot: 0 } }
export const LONG: VirtualJob = { ...SHORT, name: 'long', minutes: 20_000 }
