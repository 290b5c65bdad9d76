/** Something that goes wrong on the way to or from the card. */
export interface FtpFault {
  /** Command that it strikes, such as `STOR`, `RETR`, `LIST`; `CONNECT` the connection itself; `*` all. */
  readonly command: string
  /** Strikes only while data go encrypted. */
  readonly ifEncrypted?: boolean
  /** How often it strikes. @default always */
  readonly times?: number
  /** Said in place of doing anything: `522 SSL connection failed: session reuse required`. */
  readonly reply?: string
  /** The command is never answered. */
  readonly hangs?: boolean
  /** Both connections are reset before anything is done. */
  readonly resets?: boolean
  /** After so many bytes the data connection ends; `after` says how. */
  readonly cutAt?: number
  /** Said after the cut, `426 Failure reading network stream.` by default; `reset` resets the control connection. */
  readonly after?: string
  /** The transfer is complete, and yet this is said. */
  readonly ending?: string
  /** The last reply of a transfer comes so much later, ms. */
  readonly delayMs?: number
  /** After so many bytes nothing moves any more. */
  readonly stallAt?: number
}

/** Asked before each command what goes wrong with it. */
export interface FaultSource {
  /** The fault that strikes this command; it counts. */
  take (command: string, isEncrypted?: boolean): FtpFault | undefined
}

/** Of a server that works. */
export const NO_FAULTS: FaultSource = { take: () => undefined }
