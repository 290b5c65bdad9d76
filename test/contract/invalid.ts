import type { Fields } from './fleet.js'
import type { Param } from './rows.js'

/** Ways of passing parameters. */
export type Way = 'query' | 'form' | 'json' | 'multipart'

/** Parameters that a route must refuse, and the way they come. */
export interface Refused { readonly way: Way, readonly params: Fields, readonly what: string }

const JSON_MISFITS: Readonly<Record<string, readonly unknown[]>> = {
  integer: ['60', 1.5, true, [1], {}],
  number: ['0.4', true, [1], {}],
  boolean: [1, 0, 'perhaps', [], {}],
  string: [5, true, ['a'], {}],
  strings: ['P', 5, {}, [1]]
}
const TEXT_MISFITS: Readonly<Record<string, readonly string[]>> = {
  integer: ['', 'abc', '1.5', '0x10', '1e2', '--1'],
  number: ['', 'abc', '1e2'],
  boolean: ['perhaps', '', '1'],
  string: []
}

const beyond = ({ min, max }: Param): number[] =>
  [...(min === undefined ? [] : [min - 1]), ...(max === undefined ? [] : [max + 1])]

/** Values outside a parameter's list. */
function unlisted ({ oneOf, type, lenient = false }: Param): unknown[] {
  if (oneOf === undefined || lenient || type === 'strings') return []
  return type === 'string' ? ['nonsense', ''] : [Math.max(...oneOf as number[]) + 1]
}

/** Optional switches take any text. */
const isLax = ({ type, required }: Param): boolean => type === 'boolean' && !required

const textsOf = (param: Param): string[] => [
  ...(isLax(param) ? [] : TEXT_MISFITS[param.type] ?? []),
  ...[...beyond(param), ...unlisted(param)].map(String)
]

const isNumber = ({ type }: Param): boolean => type === 'integer' || type === 'number'

const jsonsOf = (param: Param, laxTexts: boolean): unknown[] => [
  ...(JSON_MISFITS[param.type] ?? [])
    .filter(value => !(laxTexts && (isLax(param) || isNumber(param)) && typeof value === 'string')),
  ...beyond(param), ...unlisted(param)
]

const without = (params: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(params).filter(([key]) => key !== name))

/**
 * Every way in which one parameter can be wrong while the others are right.
 * @param laxTexts optional switches take any text and numbers their digits, in JSON too
 */
export function invalid (param: Param, good: Fields, ways: readonly Way[], laxTexts = false): Refused[] {
  const { name, required, type } = param
  const text = ways.filter(way => way !== 'json').flatMap(way => textsOf(param)
    .map(value => ({ way, params: { ...good, [name]: value }, what: `${name}=${value}` })))
  const json = ways.includes('json')
    ? jsonsOf(param, laxTexts).map(value =>
      ({ way: 'json' as const, params: { ...good, [name]: value }, what: `${name}: ${JSON.stringify(value)}` }))
    : []
  const missing = required ? ways.map(way => ({ way, params: without(good, name), what: `no ${name}` })) : []
  const none = required && type !== 'any' && ways.includes('json')
    ? [{ way: 'json' as const, params: { ...good, [name]: null }, what: `${name}: null` }]
    : []
  return [...text, ...json, ...missing, ...none]
}
