import type { Dispose } from '../util/emitter.js'
import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { resources: Resource }
}

/**
 * Content of a resource: text or bytes with a type, or a JPEG or PNG picture, which is sent as a JPEG of at most 1024
 * px on the long side.
 */
export type ResourceContent =
  { readonly text: string } | { readonly bytes: Uint8Array } | { readonly picture: Uint8Array }

/** One content, or several. */
export type ResourceAnswer = ResourceContent | readonly ResourceContent[] | undefined

/** An MCP resource that clients read by URI and may subscribe to. */
export interface Resource {
  /** URI; a part in braces makes it a template: `prnd://printers/{name}`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly mimeType: string
  /** For a template: current values of its part, for listing, subscribing and completion. */
  readonly values?: (kernel: Kernel) => readonly string[]
  /** @returns undefined if there is no such resource */
  readonly read: (kernel: Kernel, value: string) => ResourceAnswer | Promise<ResourceAnswer>
  /** Calls `changed` with the value (empty without a template) whenever the content changes. */
  readonly watch?: (kernel: Kernel, changed: (value: string) => void) => Dispose
  /** Minimum interval of change notifications, ms. @default 1000 */
  readonly everyMs?: number
}

/** Declares a resource; nothing is read before a client asks. */
export const defineResource = (resource: Resource): Resource => Object.freeze(resource)
