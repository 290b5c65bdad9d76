import type { Kernel } from '../kernel/types.js'

declare module 'prnd' {
  interface Contributions { ruleNames: RuleNames }
}

/** Something that an input names by its id. */
export interface RuleName {
  readonly id: string
  readonly name: string
  /** The printer that it belongs to; undefined for one that stands alone. */
  readonly printer?: string | undefined
}

/** What people call the things that an input of operations takes by id, so that rules read in words. */
export interface RuleNames {
  /** Such as `energy.turnOff`. */
  readonly operations: readonly string[]
  /** Name of the input, such as `id`. */
  readonly input: string
  /** The list has all there are: a rule that names something else is refused. */
  readonly isWhole?: boolean
  /** What there is now, at no cost; undefined while it is not known. */
  readonly list: (kernel: Kernel) => readonly RuleName[] | undefined
}

/** Declares what people call the things that an input takes by id. */
export const defineRuleNames = (names: RuleNames): RuleNames => Object.freeze(names)
