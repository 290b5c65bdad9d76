import type { CallOptions, Kernel } from '../../core/index.js'
import type { App } from './apps.js'
import type { ServedRawTool, ServedTool } from './catalogue.js'
import type { ClientRegistry } from './client-registry.js'
import type { Prompt } from './contributions.js'
import type { ResourceRegistry } from './resource-registry.js'

/** What every session serves. */
export interface ServerContext {
  readonly kernel: Kernel
  readonly tools: ReadonlyMap<string, ServedTool>
  readonly rawTools: ReadonlyMap<string, ServedRawTool>
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ResourceRegistry
  /** Pages for the answers of tools that are offered. */
  readonly apps: readonly App[]
  readonly clientRegistry: ClientRegistry
  readonly envelope: boolean
  /** Where a client can ask its user, a call without permission becomes a question. */
  readonly askConsent: boolean
}

/** What the libraries hand on of a request's sender. */
export interface SenderInfo {
  readonly authInfo?: { readonly extra?: Record<string, unknown> | undefined } | undefined
}

/** Where a request comes from, and the host it asked for. */
export type Sender = Pick<CallOptions, 'caller' | 'host'>
export type SenderOf = (info: SenderInfo) => Sender
