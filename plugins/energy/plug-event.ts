/** Something happened to a plug. */
export interface PlugEvent {
  readonly id: string
  readonly name: string
  /** Undefined for a plug that stands alone. */
  readonly printer: string | undefined
  readonly what: 'turned_on' | 'turned_off' | 'lost' | 'unexpected'
  /** Who switched it: a caller, `queue`, `idle`, or `elsewhere`; empty if nobody did. */
  readonly by: string
  readonly watts: number | undefined
  /** ms since the epoch. */
  readonly at: number
}
