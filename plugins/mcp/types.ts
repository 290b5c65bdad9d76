import type { CallOptions, Kernel } from '../../core/index.js'
import type { ServedRawTool, ServedTool } from './catalogue.js'
import type { ClientRegistry } from './client-registry.js'
import type { Prompt } from './contributions.js'
import type { Extra } from './requests.js'
import type { ResourceRegistry } from './resource-registry.js'

/** What every session serves. */
export interface ServerContext {
  readonly kernel: Kernel
  readonly tools: ReadonlyMap<string, ServedTool>
  readonly rawTools: ReadonlyMap<string, ServedRawTool>
  readonly prompts: ReadonlyMap<string, Prompt>
  readonly resources: ResourceRegistry
  readonly clientRegistry: ClientRegistry
  readonly envelope: boolean
}

/** Where a request comes from, and the host it asked for. */
export type Sender = Pick<CallOptions, 'caller' | 'host'>
export type SenderOf = (extra: Extra) => Sender
