import {
  accessOf, type AnyOperation, type Kernel, type Language, type Named, type RuleEvent, type RuleName, type RuleValue
} from '../../../core/index.js'
import { operationInWords as plainWords } from '../../audit/index.js'
import { CALLABLE } from './callable.data.js'
import { CONSEQUENCE_WORDS } from './consequence-words.data.js'

export const inWords = (named: Named, lang: Language): string => named[lang] ?? named.en

interface Property { readonly type?: string, readonly enum?: readonly unknown[], readonly description?: string }

/** Type of a field, or of an input, by its schema. */
export interface FieldType {
  readonly name: string
  readonly type: 'number' | 'text' | 'boolean' | 'other'
  readonly choices: readonly string[]
}

const TYPES: Readonly<Record<string, FieldType['type']>> =
  { number: 'number', integer: 'number', string: 'text', boolean: 'boolean' }

export function fieldType (name: string, { type, enum: choices }: Property): FieldType {
  const own = type ?? (choices && typeof choices[0])
  return { name, type: TYPES[own ?? ''] ?? 'other', choices: (choices ?? []).map(String) }
}

export const fieldsOf = ({ fields }: RuleEvent): FieldType[] =>
  Object.entries(fields.properties as Record<string, Property>).map(([name, property]) => fieldType(name, property))

/** The events, values and operations that rules are made of. */
export interface Words {
  readonly events: ReadonlyMap<string, RuleEvent>
  readonly values: ReadonlyMap<string, RuleValue>
  /** Operations that a rule may call. */
  readonly operations: ReadonlyMap<string, AnyOperation>
  /** What people call the things that an input takes by id; undefined where it takes none. */
  readonly named?: (operation: string, input: string) => Things | undefined
}

/** `isWhole`: there are no others. */
interface Things { readonly all: readonly RuleName[], readonly isWhole: boolean }

/**
 * Only listed operations can be called: nothing that touches the host, administration, raw commands, deletes, starts a
 * print on a plate that nobody confirmed, or makes rules.
 */
export function isCallable ({ name, effect, ...rest }: AnyOperation): boolean {
  const [plugin = '', act = ''] = name.split('.')
  const listed = Object.hasOwn(CALLABLE, plugin) ? CALLABLE[plugin] : undefined
  return listed !== undefined && listed.split(' ').includes(act) && effect !== 'read' && accessOf({ name, ...rest }) === 'network'
}

export function wordsOf (kernel: Kernel): Words {
  const { contributed, operations } = kernel
  const names = contributed('ruleNames')
  return {
    named (operation, input) {
      const found = names.find(one => one.input === input && one.operations.includes(operation))
      const all = found?.list(kernel)
      return all && { all, isWhole: found?.isWhole === true }
    },
    events: new Map(contributed('ruleEvents').map(event => [event.name, event])),
    values: new Map(contributed('ruleValues').map(value => [value.name, value])),
    operations: new Map([...operations].filter(([, operation]) => isCallable(operation)))
  }
}

/** A rule pauses the queue, and only people resume it. */
const PAUSE: Named = { en: 'pause the queue', de: 'die Warteschlange anhalten', zh: '暂停队列' }

/** What an operation does, as an instruction. */
export const operationInWords = (operation: Pick<AnyOperation, 'name' | 'summary'>, lang: Language): string =>
  operation.name === 'queue.pause' ? inWords(PAUSE, lang) : plainWords(operation, lang)

/** What an operation brings about, as it says itself or in another language; undefined where it says nothing. */
export const consequenceOf = ({ name, consequence }: Pick<AnyOperation, 'name' | 'consequence'>, lang: Language): string | undefined =>
  (Object.hasOwn(CONSEQUENCE_WORDS, name) && lang !== 'en' ? CONSEQUENCE_WORDS[name]?.[lang] : undefined) ?? consequence

/** The parts of its input. */
export const inputsOf = ({ input }: AnyOperation): Record<string, Property> =>
  (input as { properties?: Record<string, Property> }).properties ?? {}
