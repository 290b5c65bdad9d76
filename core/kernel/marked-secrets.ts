import type { TSchema } from 'typebox'
import { validationError } from '../util/validate.js'
import { ConfigSchema } from './config.js'
import type { AnyPlugin, ContributedLists } from './plugin.js'
import type { Contributions } from './types.js'

/** As much of a schema as tells where texts are. */
interface Schema {
  readonly secret?: boolean
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

/** A file is the place of a secret. */
type Kind = 'secret' | 'file' | 'open' | 'undeclared'
/** @returns what stands in the text's place; undefined: nothing */
type Judge = (text: string, kind: Kind, path: string) => string | undefined

const isTree = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fits = (schema: Schema, value: unknown): boolean =>
  validationError(schema as TSchema, structuredClone(value)) === undefined

function memberOf (schema: Schema, name: string): Schema | undefined {
  const { properties, patternProperties = {}, additionalProperties } = schema
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name]
  const pattern = Object.keys(patternProperties).find(source => new RegExp(source).test(name))
  if (pattern !== undefined) return patternProperties[pattern]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

function mapTexts (given: Schema | undefined, value: unknown, path: string, judge: Judge): unknown {
  const secret = given?.secret === true
  if (typeof value === 'string') return judge(value, secret ? 'secret' : given === undefined ? 'undeclared' : 'open', path)
  if (secret && isTree(value)) return typeof value.file === 'string' ? judge(value.file, 'file', path) && value : value
  const schema = given?.anyOf === undefined ? given : given.anyOf.find(one => fits(one, value))
  if (Array.isArray(value)) {
    return value.map((one, at) => mapTexts(schema?.items, one, `${path}[${at}]`, judge)).filter(one => one !== undefined)
  }
  if (!isTree(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([name, one]) => {
    const member = schema === undefined ? undefined : memberOf(schema, name)
    const mapped = mapTexts(member, one, path === '' ? name : `${path}.${name}`, judge)
    return mapped === undefined ? [] : [[name, mapped]]
  }))
}

/** What plugins contribute whatever their options, found without starting anything. */
const constantsOf = (plugins: readonly AnyPlugin[]): ContributedLists => <K extends keyof Contributions>(kind: K) =>
  plugins.flatMap(({ contributes }) => typeof contributes === 'function' ? [] : contributes?.[kind] ?? [])

/** The schema of a whole configuration with these plugins; what other plugins' options are is not declared. */
export function configurationSchema (plugins: readonly AnyPlugin[], contributed = constantsOf(plugins)): TSchema {
  const options = Object.fromEntries(plugins.map(plugin =>
    [plugin.name, plugin.completeOptions?.(contributed) ?? plugin.options ?? {}]))
  const properties = { ...ConfigSchema.properties, plugins: { type: 'object', properties: options } }
  return { ...ConfigSchema, properties } as TSchema
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
/** Parts of an address that nobody has chosen for reading. */
const LIKE_A_KEY = /^(?=.*\d)(?=.*[a-z])[\w.~-]{12,}$|^[\w.~-]{24,}$/i

/** An address without its password; undefined where the rest of it may let somebody in. */
function withoutPassword (text: string): string | undefined {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.search !== '' || url.pathname.split('/').some(part => LIKE_A_KEY.test(part))) return undefined
  if (url.password === '') return text
  url.password = ''
  return url.href
}

/**
 * A configuration that can be passed on: without what is declared secret, without passwords in addresses, and without
 * texts of which nobody has declared what they are.
 * @returns it, and the keys of what was left out
 */
export function withoutSecrets (schema: TSchema, config: unknown): { config: unknown, left: string[] } {
  const left: string[] = []
  const kept = mapTexts(schema as Schema, config, '', (text, kind, path) => {
    const shown = kind === 'open' ? withoutPassword(text) : undefined
    if (shown !== text) left.push(path)
    return shown
  })
  return { config: kept, left }
}

/** Every secret text in a configuration, and every password in its addresses, as written and decoded. */
export function secretsIn (schema: TSchema, config: unknown): string[] {
  const found: string[] = []
  mapTexts(schema as Schema, config, '', (text, kind) => {
    if (kind === 'secret') found.push(text)
    if (ADDRESS.test(text) && URL.canParse(text)) {
      const { password, pathname } = new URL(text)
      const keys = kind === 'secret' ? pathname.split('/').filter(part => LIKE_A_KEY.test(part)) : []
      found.push(...keys, ...password === '' ? [] : [password, decoded(password)])
    }
    return text
  })
  return [...new Set(found)]
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
