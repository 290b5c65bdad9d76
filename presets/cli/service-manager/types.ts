/** A command of a service manager. */
export interface Step {
  readonly run: readonly [program: string, ...args: string[]]
  /** What to tell if it fails; without it a failure ends the work. */
  readonly otherwise?: string
}

/** The service as one service manager knows it. */
export interface ManagedService {
  /** What the file is to the service manager, such as `systemd unit`. */
  readonly kind: string
  readonly file: string
  readonly text: string
  readonly encoding: 'utf8' | 'utf16le'
  /** Before the file is written. */
  readonly prepare: readonly Step[]
  readonly install: readonly Step[]
  /** Before the file is deleted. */
  readonly stop: readonly Step[]
  /** After the file was deleted. */
  readonly forget: readonly Step[]
  /** A command, and what its output has while the service runs. */
  readonly state: { readonly run: Step['run'], readonly running: RegExp }
  /** What shows its messages. */
  readonly logs: string
}
