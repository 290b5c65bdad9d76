import type { Kernel } from '../../../core/index.js'
import { BadTargetKind } from '../errors.js'
import type { MessageTargetKind } from './types.js'

const TYPE = /^[a-z][a-z0-9-]{0,39}$/

/** @throws PRN_ERR_MESSAGE_TARGET naming the kind and its plugin */
export function checkKinds (all: readonly MessageTargetKind[], { originOf }: Pick<Kernel, 'originOf'>): void {
  const seen = new Set<string>()
  for (const kind of all) {
    const { type, create } = kind
    const problem = seen.has(type) ? 'there is another one of this type' : problemOf(type, create)
    const plugin = originOf(kind) ?? '?'
    if (problem !== undefined) throw new BadTargetKind(String(type), plugin, problem).with({ plugins: [plugin] })
    seen.add(type)
  }
}

function problemOf (type: unknown, create: unknown): string | undefined {
  if (typeof type !== 'string' || !TYPE.test(type)) return 'type must be lower-case letters, digits and hyphens'
  return typeof create === 'function' ? undefined : 'create must be a function'
}
