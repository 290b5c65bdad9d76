import { ConfigSchema } from '../../core/index.js'
import { VARIABLES } from '../../core/kernel/config.js'
import type { Application } from './application.js'
import { byText, code, page, sentence, table } from './markdown.js'
import { defaultOf, meaningOf, typeOf, type Schema } from './schema.js'

/** Keys with their schemas, nested ones under their path. */
export function optionsOf (schema: Schema, path = ''): [path: string, schema: Schema][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    const own = path === '' ? name : `${path}.${name}`
    if (part.properties) return optionsOf(part, own)
    if (part.items?.properties) return optionsOf(part.items, `${own}[]`)
    return [[own, part]] satisfies [string, Schema][]
  })
}

const variablesOf = (key: string) => Object.entries(VARIABLES).filter(([, path]) => path === key)
  .map(([name]) => code(name)).join(', ')

/** The words for people, where a type would be long. */
const shortType = (schema: Schema) => schema.title ?? typeOf(schema)

const keyTable = (rows: readonly [path: string, schema: Schema][]) => table(
  ['Key', 'Type', 'Default', 'Variable', 'Meaning'],
  rows.map(([path, schema]) =>
    [code(path), shortType(schema), defaultOf(schema), variablesOf(path), sentence(meaningOf(schema))]))

function optionSections (applications: readonly Application[]): string[] {
  const plugins = new Map(applications.flatMap(({ kernel }) => [...kernel.plugins]))
  return [...plugins.values()].sort(byText(({ name }) => name)).flatMap(({ name, description = '', options }) => {
    const rows = optionsOf((options ?? {}) as Schema)
    return rows.length === 0 ? [] : [`### plugins.${name}`, sentence(description), keyTable(rows)]
  })
}

/** Beside the keys there are these, which say where the file is. */
const OTHERS = [['PRN_CONFIG', 'Path of the configuration file, where `--config` is not given']] as const

export const configurationPage = (applications: readonly Application[]): string => page(
  '# Configuration',
  'Every key of the configuration file, and the environment variable that overrides it. The ' +
  '[guide](../guides/configuration.md) has examples. An unknown key is an error that suggests the nearest valid one. ' +
  'What is called secret is masked in logs, answers and reports, and left out of backups.',
  '## The file',
  keyTable(optionsOf(ConfigSchema as unknown as Schema)),
  '## Environment',
  'An empty variable counts as not set. Lists are comma-separated.',
  table(['Variable', 'Overrides'], [
    ...Object.entries(VARIABLES).map(([name, path]) => [code(name), code(path)]),
    ...OTHERS.map(([name, text]) => [code(name), text])
  ].sort(byText(([name = '']) => name))),
  '## Options of plugins',
  optionSections(applications)
)
