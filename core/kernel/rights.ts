import type { Budget } from './budget.js'

/** Reading; printing and other actions; or access to the host and to what the service trusts. */
export type Role = 'view' | 'operate' | 'administrate'

/** The rights of a user or a key, as determined by the plugin that manages users. */
export interface Rights {
  /** Name for logs. */
  readonly name: string
  /** Stable and unique id of the user or key, never reused; defaults to the name. */
  readonly id?: string
  readonly role: Role
  /** The only printers that exist for this caller; undefined means all. */
  readonly printers: ReadonlySet<string> | undefined
  /** Limits what this caller may print; such a caller has no trusted access, whatever the role. */
  readonly budget?: Budget | undefined
}

/** The origin of a call, as determined by the surface; for users and keys, their rights. */
export type Caller = 'local' | 'token' | 'network' | Rights
