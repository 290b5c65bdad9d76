/** A fault to inject, for tests. */
export interface FtpFault {
  /** Affected command, such as `STOR`, `RETR`, `LIST`; `CONNECT` for the connection itself; `*` for all. */
  readonly command: string
  /** Only for encrypted data connections. */
  readonly ifEncrypted?: boolean
  /** How often it occurs. @default always */
  readonly times?: number
  /** Reply instead of executing: `522 SSL connection failed: session reuse required`. */
  readonly reply?: string
  /** The command is never answered. */
  readonly hangs?: boolean
  /** Both connections are reset before the command is executed. */
  readonly resets?: boolean
  /** The data connection ends after this many bytes; `after` is the reply. */
  readonly cutAt?: number
  /** Reply after `cutAt`, by default `426 Failure reading network stream.`; `reset` resets the control connection. */
  readonly after?: string
  /** Reply after a complete transfer. */
  readonly ending?: string
  /** Delay of the last reply of a transfer, ms. */
  readonly delayMs?: number
  /** The transfer stalls after this many bytes. */
  readonly stallAt?: number
}

/** Provides the fault for each command. */
export interface FaultSource {
  /** The fault for this command; counts as one occurrence. */
  take (command: string, isEncrypted?: boolean): FtpFault | undefined
}

/** For a server without faults. */
export const NO_FAULTS: FaultSource = { take: () => undefined }
