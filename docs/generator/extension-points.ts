import type { AnyPlugin } from '../../core/index.js'
import type { Application } from './application.js'
import { byText, code, grouped, page, sentence, table } from './markdown.js'
import { ownerOf, type Declared, type Member, type Sources } from './source.js'

type Added = Member & { readonly path: string }

const memberTable = (members: readonly Member[]) =>
  table(['Member', 'Type', ''], members.map(({ name, type, doc }) => [code(name), code(type), sentence(doc)]))

/** Names of the types in a type's text, in their order. */
const namesIn = (type: string) => [...new Set(type.match(/\b[A-Z]\w+/g) ?? [])]

/** What a type is made of; a union is followed to its members. */
function described (type: string, path: string, sources: Sources, seen: ReadonlySet<string> = new Set()): string[] {
  return namesIn(type).filter(name => !seen.has(name)).flatMap(name => {
    const found = sources.named(name, path)
    if (found === undefined || FOREIGN.has(name)) return []
    const inner = new Set([...seen, ...namesIn(type)])
    if (found.members.length > 0) return shape(found, sources, inner)
    return described(found.text, found.path, sources, inner)
  })
}

/** Whole worlds of their own; their types say what they are. */
const FOREIGN = new Set(['Kernel', 'PrinterSession', 'PrinterState', 'PluginContext'])

/** Members with the inherited ones before them, each described where it is declared last. */
function membersOf ({ text, path, members }: Declared, sources: Sources): readonly Member[] {
  const inherited = text.startsWith('extends')
    ? namesIn(text).flatMap(name => sources.named(name, path)?.members ?? [])
    : []
  const own = new Set(members.map(({ name }) => name))
  return [...inherited.filter(({ name }) => !own.has(name)), ...members]
}

function shape (found: Declared, sources: Sources, seen: ReadonlySet<string>): string[] {
  return [`**${found.name}.** ${sentence(found.doc)}`, memberTable(membersOf(found, sources))]
    .concat(found.members.length > 0 ? [] : described(found.text, found.path, sources, seen))
}

const HELPERS: Readonly<Record<string, readonly string[]>> = { routes: ['route'], tools: ['tool'] }
const CONTRIBUTIONS = 'core/contributions/'

/** `define…` functions whose name or types are about a kind of contribution. */
function helpersOf ({ type, path, name }: Added, sources: Sources): string[] {
  const known = HELPERS[name]
  if (known) return known.map(helper => `${code(helper)} from ${code('prnd')}`)
  const plugin = path.split('/')[1] ?? ''
  const isOfCore = path.startsWith(CONTRIBUTIONS)
  const folder = isOfCore ? CONTRIBUTIONS : `plugins/${plugin}/`
  const found = sources.withText(/export (?:const|function) (define\w+)/g)
    .filter(({ path: where }) => where.startsWith(folder)).flatMap(({ path: where, found }) =>
      found.map(helper => ({ helper, text: sources.named(helper, where)?.path ?? '' })))
  const types = closure(type, path, sources)
  return found.map(({ helper }) => helper).filter(helper => isFor(helper, types)).sort()
    .map(helper => `${code(helper)} from ${code(isOfCore ? 'prnd' : `prnd/plugins/${plugin}`)}`)
}

/** The names a type leads to: `ChartPanel`, and what it is a union of. */
function closure (type: string, path: string, sources: Sources): ReadonlySet<string> {
  const names = new Set<string>()
  const follow = (text: string, where: string) => {
    for (const name of namesIn(text).filter(name => !names.has(name))) {
      names.add(name)
      const found = sources.named(name, where)
      if (found && found.members.length === 0) follow(found.text, found.path)
    }
  }
  follow(type, path)
  return names
}

/** `defineGauge` makes a `GaugeSpec`, `defineChart` a `ChartPanel`. */
const isFor = (helper: string, types: ReadonlySet<string>) => {
  const thing = helper.replace('define', '')
  return [...types].some(name => name === thing || name.startsWith(thing) || name.endsWith(thing))
}

const labelOf = (value: object): string | undefined => {
  const { name, id, event, uri } = value as Partial<Record<string, string>>
  return name ?? id ?? event ?? uri
}

/** What there is already, in the order of the plugins. */
function present (kind: string, applications: readonly Application[]): string {
  if (kind in HELPERS) return ''
  const labels = applications.flatMap(({ kernel }) => [...kernel.contributed(kind as 'routes')]
    .map(value => [labelOf(value), kernel.originOf(value)] as const))
  const rows = grouped(labels.filter(([label]) => label !== undefined), ([, plugin]) => plugin ?? '?')
    .map(([plugin, own]) => `${[...new Set(own.map(([label]) => code(label ?? '')))].sort().join(', ')} (${plugin})`)
  return rows.length === 0 ? '' : `There are: ${rows.join('; ')}.`
}

function contributionSections (applications: readonly Application[], sources: Sources): string[] {
  return grouped(sources.added('Contributions'), ({ name }) => name).flatMap(([name, declared]) => {
    const [first] = declared
    if (first === undefined) return []
    const shapes = shapesOf(declared, sources)
    const helpers = [...new Set(shapes.flatMap(one => helpersOf({ ...one, name }, sources)))]
    const owners = [...new Set(declared.map(({ path }) => ownerOf(path)))].sort().join(', ')
    return [
      `### ${name}`,
      [sentence(first.doc), `Type ${code(first.type)}, from ${owners}.`,
        helpers.length > 0 ? `Made with ${helpers.join(', ')}.` : ''].filter(Boolean).join(' '),
      ...shapes.flatMap(({ type, path }) => described(type, path, sources)),
      present(name, applications)
    ]
  })
}

/** The faces of operations, which are given to `route` and `tool`. */
const FACES: Readonly<Record<string, string>> = { Route: 'RouteBinding', Tool: 'ToolBinding' }

/** What is contributed. What fits into the slots of pages is declared by whoever has the page. */
function shapesOf (declared: readonly Added[], sources: Sources): readonly Added[] {
  const [first] = declared
  if (first?.type.startsWith('PanelSlots')) return [...sources.added('PanelSlots')].sort(byText(({ type }) => type))
  return declared.slice(0, 1).map(one => ({ ...one, type: FACES[one.type] ?? one.type }))
}

/** The types that authors write and are given. */
const PARTS: readonly (readonly [heading: string, type: string, text: string])[] = [
  ['Plugin', 'PluginSpec', 'Given to `definePlugin`.'],
  ['Setup', 'PluginContext', "What a plugin's `setup` is given."],
  ['Operation', 'OperationSpec', 'Given to `operation`.'],
  ['Context of an operation', 'DaemonContext', 'What `run` is given first; with `scope: \'printer\'`, the usual one, also `session`.'],
  ['Session', 'PrinterSession', ''],
  ['Printers', 'PrinterRegistry', ''],
  ['Kernel', 'Kernel', '']
]

const partSections = (sources: Sources): string[] => PARTS.flatMap(([heading, type, text]) => {
  const found = sources.named(type, 'core/kernel/plugin.ts')
  return [`### ${heading}`, [sentence(found?.doc ?? ''), text].filter(Boolean).join(' '), memberTable(found === undefined ? [] : membersOf(found, sources))]
})

function serviceSections (sources: Sources): string[] {
  return [...sources.added('Services')].sort(byText(({ name }) => name)).flatMap(({ name, type, doc, path, members }) => {
    const found = /^\w+$/.test(type) ? sources.named(type, path) : undefined
    const shown = members.length > 0 ? members : found?.members ?? []
    return [
      `### services.${name}`,
      [sentence(doc || found?.doc || ''), `From ${ownerOf(path)}.`].filter(Boolean).join(' '),
      shown.length > 0 ? memberTable(shown) : `Type: ${code(type)}`
    ]
  })
}

/** Members are declared as `'climate.setLight': typeof setLight`. */
const operationTable = (sources: Sources): string => table(['Operation', 'From'],
  [...sources.added('Operations')].map(({ name, path }) => [code(name.replaceAll("'", '')), ownerOf(path)])
    .sort(byText(([name]) => name ?? '')))

function pluginTable (applications: readonly Application[]): string {
  const plugins = new Map<string, { plugin: AnyPlugin, presets: string[] }>()
  for (const { kernel } of applications) {
    for (const [name, plugin] of kernel.plugins) {
      const presets = plugins.get(name)?.presets ?? []
      plugins.set(name, { plugin, presets: [...presets, kernel.preset] })
    }
  }
  return table(['Plugin', 'In', 'Needs', 'Provides', 'Touches', ''],
    [...plugins.values()].sort(byText(({ plugin }) => plugin.name)).map(({ plugin, presets }) => [
      code(plugin.name), presets.join(', '), (plugin.needs ?? []).join(', '), (plugin.provides ?? []).map(String).join(', '),
      (plugin.uses ?? []).join(', '), sentence(plugin.description ?? '')
    ]))
}

export const extensionPointsPage = (applications: readonly Application[], sources: Sources): string => page(
  '# Extension points',
  'What a plugin can add and use. Built-in plugins use the same API. ' +
  '[Writing a plugin](../guides/writing-a-plugin.md) explains how the parts fit together; [events](events.md) lists the ' +
  'events.',
  '## Plugins',
  'A plugin that needs another is set up after it; so is one that declares a service of it as optional, where it is loaded.',
  pluginTable(applications),
  '## Contributions',
  'Lists that plugins add to with `contributes`, read by their owner with `contributed(name)`.',
  contributionSections(applications, sources),
  '## Services',
  'Given with `provide(name, service)`, used as `services.name` by plugins that name the provider in `needs`, ' +
  'and as `optional.name` by those that name the service in `optional` and can do without.',
  serviceSections(sources),
  '## Operations by name',
  'Given by `kernel.operation(name)`, with the types of input and output, and called with `kernel.call`. Undefined ' +
  'where the plugin is not part of the service.',
  operationTable(sources),
  '## Types',
  'The exports of the package `prnd` are declared in its types; these are the most important ones for authors.',
  partSections(sources)
)
