import type { Dispose } from '../util/emitter.js'
import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { resources: Resource }
}

/**
 * What a resource holds: text or bytes of its own kind, or a picture, JPEG or PNG, which is sent as a JPEG whose long
 * side has at most 1024 px.
 */
export type ResourceContent =
  { readonly text: string } | { readonly bytes: Uint8Array } | { readonly picture: Uint8Array }

/** One content, or several that belong together. */
export type ResourceAnswer = ResourceContent | readonly ResourceContent[] | undefined

/** Something clients read by address and may subscribe to. */
export interface Resource {
  /** Address; a part in braces makes it a template: `prnd://printers/{name}`. */
  readonly uri: string
  readonly name: string
  readonly title?: string
  readonly description: string
  readonly mimeType: string
  /** For a template: values of its part that exist now, for listing, subscribing and completion. */
  readonly values?: (kernel: Kernel) => readonly string[]
  /** @returns undefined when there is no such thing */
  readonly read: (kernel: Kernel, value: string) => ResourceAnswer | Promise<ResourceAnswer>
  /** Calls `changed` with the value (empty without a template) whenever the content is another. */
  readonly watch?: (kernel: Kernel, changed: (value: string) => void) => Dispose
  /** Changes are announced no more often, ms. @default 1000 */
  readonly everyMs?: number
}

/** Declares a resource; nothing is read before a client asks. */
export const defineResource = (resource: Resource): Resource => Object.freeze(resource)
