import type { Kernel } from '../../core/index.js'
import type { Prompt } from './contributions.js'

/** Source: the protocol, "Completion". */
export const MOST_COMPLETIONS = 100

/** Names that begin with the typed text, case-insensitively. */
export const startingWith = (names: readonly string[], typed: string): string[] =>
  names.filter(name => name.toLowerCase().startsWith(typed.toLowerCase()))

export const completePrinter = (kernel: Kernel, typed: string): readonly string[] =>
  startingWith(kernel.printers.names, typed)

/** Suggestions for one argument of a prompt; none if its plugin fails. */
export function completePart (kernel: Kernel, prompt: Prompt | undefined,
  { name, value }: { name: string, value: string }): readonly string[] {
  const argument = prompt?.arguments?.find(argument => argument.name === name)
  if (prompt === undefined || argument === undefined) return []
  const guard = kernel.pluginFaults.guard(kernel.originOf(prompt), 'prompt', prompt.name)
  return guard.run(() => argument.complete?.(kernel, value)) ?? []
}
