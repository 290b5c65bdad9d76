import { configPath, createKernel, definePreset, readConfig } from '../../../core/index.js'
import { knownOptions } from '../known-options.js'

interface Options { readonly config?: string }

const NOTHING = definePreset({ name: 'check', plugins: [] })

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

export async function path ({ config }: Options): Promise<void> {
  console.log(configPath(config))
}

/** Validates the file and everything that it refers to, except plugins: see `plugins check`. */
export async function check ({ config: file }: Options): Promise<void> {
  const { config, path, exists } = await readConfig(file, { warn: message => console.error(`Warning: ${message}`) })
  if (!exists) return console.log(`There is no ${path} yet; the defaults apply.`)
  const { printers, plugins } = config
  // Creating a kernel reads the referenced access codes and certificate authorities.
  const kernel = await createKernel(NOTHING, { ...config, plugins: {}, log: { file: false } })
  await kernel.close()
  console.log(`${path} is good: ${count(printers.length, 'printer')}, options for ${count(Object.keys(plugins).length, 'plugin')}.`)
}

const DRAFT = 'http://json-schema.org/draft-07/schema#'

type Node = Readonly<Record<string, unknown>>

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value)

/** As a person writes it: what has a default may be left out. */
function forFiles (value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forFiles)
  if (!isNode(value)) return value
  const node = Object.fromEntries(Object.entries(value)
    .map(([key, part]) => [key, key === 'default' ? part : forFiles(part)]))
  const { required, properties } = node
  if (!Array.isArray(required) || !isNode(properties)) return node
  return { ...node, required: required.filter(key => !Object.hasOwn(properties[key] as object, 'default')) }
}

interface KnownSchema { readonly properties: Node & { readonly plugins: { readonly properties: Node } } }

/** The schema of the configuration file. Plugins from outside have options that are not known here. */
export function schemaOfConfiguration (): Node {
  const schema = forFiles(knownOptions()) as KnownSchema
  const { properties, properties: { plugins } } = schema
  const options = Object.entries(plugins.properties).map(([name, node]) => [name, { anyOf: [node, { const: false }] }])
  return {
    $schema: DRAFT,
    title: 'Configuration of prnd',
    ...schema,
    required: [], // everything has a default
    properties: { ...properties, plugins: { ...plugins, properties: Object.fromEntries(options) } }
  }
}

export async function schema (): Promise<void> {
  console.log(JSON.stringify(schemaOfConfiguration(), null, 2))
}
