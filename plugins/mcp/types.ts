import type { CallOptions, Kernel } from '../../core/index.js'
import type { App } from './apps.js'
import type { ServedRawTool, ServedTool } from './served-tools.js'
import type { ClientRegistry } from './client-registry.js'
import type { Prompt } from './contributions.js'
import type { ResourceRegistry } from './resource-registry.js'

export interface ServerContext {
  readonly kernel: Kernel
  readonly tools: ReadonlyMap<string, ServedTool>
  readonly rawTools: ReadonlyMap<string, ServedRawTool>
  /** Names that are listed at first, if the others are found on demand; undefined: all are listed. */
  readonly listed: ReadonlySet<string> | undefined
  /** For a client with a session: lists these tools as well from now on. */
  readonly listFound?: ((names: readonly string[]) => void) | undefined
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ResourceRegistry
  /** Pages for the results of offered tools. */
  readonly apps: readonly App[]
  readonly clientRegistry: ClientRegistry
  readonly envelope: boolean
  /** Tools are listed with the schemas of their answers, to clients of a revision that has them. */
  readonly outputSchemas: boolean
  /** If a client can ask its user, a call without permission becomes a question. */
  readonly askConsent: boolean
}

/** The part of the libraries' request context that identifies the sender. */
export interface SenderInfo {
  readonly authInfo?: { readonly extra?: Record<string, unknown> | undefined } | undefined
}

/** The caller of a request, and the requested host. */
export type Sender = Pick<CallOptions, 'caller' | 'host'>
export type SenderOf = (info: SenderInfo) => Sender
