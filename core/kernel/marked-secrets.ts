import type { TSchema } from 'typebox'
import { validationError } from '../util/validate.js'
import { ConfigSchema } from './config.js'
import type { AnyPlugin, ContributedLists } from './plugin.js'
import type { Contributions } from './types.js'

/** The parts of a JSON schema that locate texts. */
interface Schema {
  readonly secret?: boolean
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
}

/** `file` is the path of a secret. */
type Kind = 'secret' | 'file' | 'open' | 'undeclared'
/** @returns the replacement of the text; undefined removes it */
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

/** Contributions of plugins that do not depend on their options, found without starting anything. */
const constantsOf = (plugins: readonly AnyPlugin[]): ContributedLists => <K extends keyof Contributions>(kind: K) =>
  plugins.flatMap(({ contributes }) => typeof contributes === 'function' ? [] : contributes?.[kind] ?? [])

/** The schema of a whole configuration with these plugins; options of other plugins are undeclared. */
export function configurationSchema (plugins: readonly AnyPlugin[], contributed = constantsOf(plugins)): TSchema {
  const options = Object.fromEntries(plugins.map(plugin =>
    [plugin.name, plugin.completeOptions?.(contributed) ?? plugin.options ?? {}]))
  const properties = { ...ConfigSchema.properties, plugins: { type: 'object', properties: options } }
  return { ...ConfigSchema, properties } as TSchema
}

const ADDRESS = /^[a-z][a-z0-9+.-]*:\/\//i
/** Path segments that look random, and may therefore be keys. */
const LIKE_A_KEY = /^(?=.*\d)(?=.*[a-z])[\w.~-]{12,}$|^[\w.~-]{24,}$/i

/** A URL without its password; undefined if the rest may grant access. */
function withoutPassword (text: string): string | undefined {
  if (!ADDRESS.test(text) || !URL.canParse(text)) return text
  const url = new URL(text)
  if (url.search !== '' || url.pathname.split('/').some(part => LIKE_A_KEY.test(part))) return undefined
  if (url.password === '') return text
  url.password = ''
  return url.href
}

/**
 * A configuration that can be shared: without declared secrets, without passwords in URLs, and without undeclared
 * texts.
 * @returns it, and the removed keys
 */
export function withoutSecrets (schema: TSchema, config: unknown): { config: unknown, left: string[] } {
  const left: string[] = []
  const shareable = mapTexts(schema as Schema, config, '', (text, kind, path) => {
    const shown = kind === 'open' ? withoutPassword(text) : undefined
    if (shown !== text) left.push(path)
    return shown
  })
  return { config: shareable, left }
}

/** All secret texts in a configuration, and all passwords in its URLs, as written and decoded. */
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
