import { existsSync } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { errorCatalogue, type AnyOperation, type AnyPlugin, type Services } from '../core/index.js'

const ROOT = join(import.meta.dirname, '..')

interface Source { readonly path: string, readonly text: string, readonly imports: readonly string[] }

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(join(ROOT, folder), { recursive: true })).map(name => posix.join(folder, name.replaceAll('\\', '/')))

/** Everything a file takes from elsewhere, types too, also by `import()`. */
function importsOf (path: string, text: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    const from = fromOf(node)
    if (from !== undefined && ts.isStringLiteralLike(from)) found.push(from.text)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext))
  return found
}

function fromOf (node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined
  const isCall = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
  return isCall ? node.arguments[0] : undefined
}

const read = async (path: string): Promise<Source> => {
  const text = await readFile(join(ROOT, path), 'utf8')
  return { path, text, imports: importsOf(path, text) }
}

const codeBelow = async (folder: string, ending = /\.(ts|mjs)$/): Promise<Source[]> =>
  await Promise.all((await filesBelow(folder)).filter(path => ending.test(path)).map(read))

/** What browsers load. */
const scripts = await codeBelow('plugins', /\/page\/[^/]+\.js$/)
const sources = (await Promise.all(['core', 'plugins', 'presets'].map(folder => codeBelow(folder)))).flat()
const tests = await codeBelow('test')
const all = [...sources, ...tests].filter(({ path }) => path !== 'test/architecture.test.ts')

/** Relative imports as paths from the root, with the ending of the source. */
const filesOf = ({ path, imports }: Source) => imports.filter(from => from.startsWith('.'))
  .map(from => posix.join(dirname(path), from).replace(/\.js$/, '.ts'))
const packagesOf = ({ imports }: Source) => imports.filter(from => !from.startsWith('.') && !from.startsWith('node:'))
  .map(from => from.split('/').slice(0, from.startsWith('@') ? 2 : 1).join('/'))

const areaOf = (path: string) => path.split('/').slice(0, path.startsWith('core/') ? 1 : 2).join('/')

/** Who may import whom; the rest of the house needs no rule. */
function mayImport (from: string, to: string): boolean {
  const [area, other] = [areaOf(from), areaOf(to)]
  if (area === other) return true
  if (area === 'core') return false
  if (to === 'core/index.ts') return true
  if (area.startsWith('plugins/')) return /^plugins\/[^/]+\/index\.ts$/.test(to)
  if (['presets/features.ts', 'presets/address.ts', 'presets/demo.ts', 'presets/managed.ts'].includes(to)) return true
  if (from === 'presets/cli/start.mjs') return to === 'dist/presets/cli/main.ts' // what it has built
  if (/^presets\/(cli|testing)$/.test(area) && /^presets\/[^/]+\/(index|main)\.ts$/.test(to)) return true // it starts the others
  return /^plugins\/[^/]+\/(index|operations)\.ts$/.test(to) || /^plugins\/[^/]+\/operations\//.test(to)
}

/** The one place that knows a package; everything else asks it. */
const OWNERS: Readonly<Record<string, string | readonly string[]>> = {
  '@fastify/error': 'core/errors.ts',
  '@fastify/formbody': 'plugins/http/',
  '@fastify/multipart': 'plugins/files/',
  '@fastify/rate-limit': 'plugins/http/',
  '@fastify/static': 'plugins/http/',
  '@fastify/swagger': 'plugins/openapi/',
  '@fastify/swagger-ui': 'plugins/openapi/',
  '@fastify/websocket': 'plugins/http/',
  '@modelcontextprotocol/node': 'plugins/mcp/',
  '@modelcontextprotocol/sdk': 'plugins/mcp/',
  '@modelcontextprotocol/server': 'plugins/mcp/',
  '@nats-io/jetstream': 'plugins/fleet/',
  '@nats-io/kv': 'plugins/fleet/',
  '@nats-io/transport-node': 'plugins/fleet/',
  '@node-rs/argon2': 'plugins/people/',
  '@peculiar/x509': 'core/util/load-x509',
  aedes: 'plugins/printer-servers/',
  '@simplewebauthn/server': 'plugins/passkeys/',
  ajv: 'core/util/validate.ts',
  'basic-ftp': 'core/printer/',
  cborg: 'plugins/spool-tags/',
  'close-with-grace': 'presets/',
  commander: 'presets/cli/',
  croner: 'plugins/rules/',
  'csv-parse': 'plugins/spools/',
  'env-paths': ['core/kernel/config-file.ts', 'core/kernel/take-over.ts'],
  'fastify-plugin': 'core/kernel/register-plugin.ts',
  'ffmpeg-static': 'plugins/camera/',
  fontkit: 'plugins/spool-labels/',
  'jsonc-parser': 'core/util/locate-json-error.ts',
  kysely: 'plugins/database/',
  libsql: 'plugins/database/',
  // All but the first speak with a broker that is no printer's.
  mqtt: [
    'core/printer/mqtt/mqtt-connection.ts', 'plugins/external-chamber/monitor.ts', 'plugins/broker/connect-broker.ts',
    'plugins/notify/targets/mqtt.ts'
  ],
  nodemailer: 'plugins/notify/targets/email.ts',
  'openid-client': 'plugins/people/',
  pdfkit: 'plugins/spool-labels/',
  pg: 'plugins/database/',
  pino: 'core/kernel/log.ts',
  'pino-pretty': 'presets/',
  qr: 'plugins/spool-labels/',
  semver: 'core/kernel/version.ts',
  'socket.io': 'plugins/socketio/',
  'write-file-atomic': 'core/util/json-store.ts',
  'web-push': 'plugins/notify/',
  yauzl: 'plugins/projects/',
  yazl: ['plugins/plate-change/insert/', 'plugins/slicing/']
}

/** What any part may use: several draw pictures. */
const COMMON = new Set(['fastify', 'typebox', 'sharp'])

/** What a rule finds wrong, over all sources: empty when all is well. */
const wrong = (find: (source: Source) => readonly string[], among = sources) =>
  among.flatMap(source => find(source).map(what => `${source.path}: ${what}`))
const found = (pattern: RegExp, among = sources) => wrong(({ text }) => pattern.exec(text)?.slice(0, 1) ?? [], among)

t.test('nobody imports what is not theirs to import', async t => {
  t.same(wrong(source => filesOf(source).filter(to => !mayImport(source.path, to))), [])
})

/** From the ground up: what stands on a layer may not be imported by it. The printer client can stand alone. */
const LAYERS = [
  ['core/errors.ts', 'core/util/'], ['core/printer/'], ['core/kernel/'], ['core/contributions/'], ['core/index.ts']
]
const layerOf = (path: string) => LAYERS.findIndex(prefixes => prefixes.some(prefix => path.startsWith(prefix)))

t.test('core is layered: contributions, kernel, printer, util with errors', async t => {
  const core = sources.filter(({ path }) => path.startsWith('core/'))
  t.same(core.map(({ path }) => path).filter(path => layerOf(path) < 0), [], 'every file lies in a layer')
  t.same(wrong(source => filesOf(source).filter(to => layerOf(to) > layerOf(source.path)), core), [])
  t.same(wrong(source => filesOf(source), core.filter(({ path }) => path === 'core/errors.ts')), [])
})

/** Groups of files that import each other in a circle, types too: strongly connected components, by Tarjan. */
function circlesOf (imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = []
  const numbers = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  function visit (file: string): number {
    const number = numbers.size
    numbers.set(file, number)
    lowest.set(file, number)
    stack.push(file)
    for (const to of imports.get(file) ?? []) {
      const reached = !numbers.has(to) ? visit(to) : stack.includes(to) ? numbers.get(to) as number : number
      lowest.set(file, Math.min(lowest.get(file) as number, reached))
    }
    if (lowest.get(file) === number) {
      const members = stack.splice(stack.indexOf(file))
      if (members.length > 1 || imports.get(file)?.includes(file)) circles.push(members.sort())
    }
    return lowest.get(file) as number
  }
  for (const file of imports.keys()) if (!numbers.has(file)) visit(file)
  return circles
}

t.test('no files import each other in a circle, not for types either', async t => {
  const graph = (edges: Record<string, string[]>) => new Map(Object.entries(edges))
  t.same(circlesOf(graph({ a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d'], e: ['a'], f: [] })), [['d'], ['a', 'b', 'c']])
  t.same(circlesOf(graph({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })), [])
  t.same(circlesOf(new Map(sources.map(source => [source.path, filesOf(source)]))), [])
})

/** Ways into the service and out of it: they stand on features, and no feature knows them. */
const SURFACES = new Set(['homeassistant', 'http', 'live', 'mcp', 'metrics', 'oauth', 'openapi', 'passkeys', 'people', 'relay',
  'shell', 'socketio', 'web'].map(name => `plugins/${name}`))
const isFeature = (area: string) => area.startsWith('plugins/') && !SURFACES.has(area)

/** What a script of a page names by its place, as paths from the root. */
const placesOf = ({ path, imports }: Source) =>
  imports.filter(from => from.startsWith('.')).map(from => posix.join(dirname(path), from))
/** Files of pages of other plugins, which are read by the plugin's name. */
const pageFoldersOf = ({ text }: Source) =>
  [...text.matchAll(/\b(?:readPageFile|pageFilePath|findPageFiles)\('([\w-]+)'/g)]
    .map(([, name = '']) => `plugins/${name}`)

t.test('features import no surface', async t => {
  t.same([...SURFACES].filter(folder => !existsSync(join(ROOT, folder, 'index.ts'))), [])
  const features = sources.filter(({ path }) => isFeature(areaOf(path)))
  t.same(wrong(source => filesOf(source).filter(to => SURFACES.has(areaOf(to))), features), [])
})

t.test('scripts of pages import their own folder, the page folder of the shell, and modules that have a name', async t => {
  const names = new Set(['camera-player', 'components', 'htm', 'preact', 'preact/hooks', 'preact-itself', 'printer-drawing', 'qr-decode', 'shell', 'uplot'])
  const foreign = (source: Source) => [
    ...placesOf(source).filter(to => dirname(to) !== dirname(source.path) && dirname(to) !== 'plugins/shell/page'),
    ...source.imports.filter(from => !from.startsWith('.') && !names.has(from))
  ]
  t.ok(scripts.length > 50, `${scripts.length} scripts`)
  t.same(wrong(foreign, scripts), [])
  t.same(wrong(source => placesOf(source).filter(to => !existsSync(join(ROOT, to))), scripts), [])
})

/** Which plugins each one takes something from: code, types, scripts and files of pages. */
function arrowsOfPlugins (): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>()
  const add = (from: string, to: string) => {
    if (from !== to && to.startsWith('plugins/')) arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
  }
  for (const source of sources.filter(({ path }) => path.startsWith('plugins/'))) {
    for (const to of [...filesOf(source).map(areaOf), ...pageFoldersOf(source)]) add(areaOf(source.path), to)
  }
  for (const script of scripts) for (const to of placesOf(script)) add(areaOf(script.path), areaOf(to))
  return arrows
}

t.test('every plugin has its floor in docs/architecture.md, and takes things from lower floors only', async t => {
  const page = await readFile(join(ROOT, 'docs', 'architecture.md'), 'utf8')
  const floors = new Map<string, number>([...page.matchAll(/^\| (\d+) \| (.*) \|$/gm)].flatMap(([, floor, plugins = '']) =>
    [...plugins.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => [`plugins/${name}`, Number(floor)] as const)))
  const areas = new Set(sources.map(({ path }) => areaOf(path)).filter(area => area.startsWith('plugins/')))
  t.same([...floors.keys()].sort(), [...areas].sort())
  const floorOf = (area: string) => floors.get(area) ?? 0
  t.same([...arrowsOfPlugins()].flatMap(([from, all]) =>
    [...all].filter(to => floorOf(to) >= floorOf(from)).map(to => `${from} (${floorOf(from)}): ${to} (${floorOf(to)})`)), [])
})

t.test('plugins stand on each other without a circle, scripts and files of pages counted', async t => {
  const arrows = arrowsOfPlugins()
  t.ok(arrows.get('plugins/mcp')?.has('plugins/shell'), 'scripts are counted')
  t.ok(arrows.get('plugins/web')?.has('plugins/camera'), 'files are counted')
  t.same(circlesOf(new Map([...arrows].map(([from, to]) => [from, [...to]]))), [])
})

t.test('imports lead to a file', async t => {
  const isThere = (to: string) => existsSync(join(ROOT, to)) || to.startsWith('dist/') ||
    existsSync(join(ROOT, to.replace(/\.ts$/, '.d.ts'))) // a script of a page, with its types beside it
  t.same(wrong(source => filesOf(source).filter(to => !isThere(to))), [])
})

t.test('only the table of models knows sizes of beds', async t => {
  const SIZES = /\[(180, 180|256, 256|330, 320|340, 320|350, 320)(, \d+)?\]/
  const isTable = (path: string) => /^core\/printer\/models(\.data)?\.ts$/.test(path)
  t.same(wrong(({ path, text }) => isTable(path) || !SIZES.test(text) ? [] : [text.match(SIZES)?.[0] ?? ''],
    [...sources, ...scripts]), [])
})

t.test('each package has one owner', async t => {
  const foreign = (path: string, name: string) =>
    OWNERS[name] !== undefined && ![OWNERS[name]].flat().some(owner => path.startsWith(owner))
  t.same(wrong(source => packagesOf(source).filter(name => foreign(source.path, name))), [])
})

t.test('a package without a named owner is used by one part only', async t => {
  const users = new Map<string, Set<string>>()
  for (const source of sources) {
    for (const name of packagesOf(source).filter(name => OWNERS[name] === undefined && !COMMON.has(name))) {
      users.set(name, (users.get(name) ?? new Set()).add(areaOf(source.path)))
    }
  }
  t.same([...users].filter(([, areas]) => areas.size > 1).map(([name, areas]) => `${name}: ${[...areas].join(', ')}`), [])
})

t.test('what is imported is a dependency, not one of development', async t => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { dependencies: object }
  t.same(wrong(source => packagesOf(source).filter(name => !Object.hasOwn(dependencies, name))), [])
})

t.test('each dependency has its reason, in docs/decisions', async t => {
  const { dependencies, devDependencies, optionalDependencies } =
    JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Record<string, Record<string, string>>
  const page = await readFile(join(ROOT, 'docs', 'decisions', '025-dependencies.md'), 'utf8')
  const [runtime = '', development = ''] = page.split(/^## /m).slice(1)
  const listed = (text: string) => [...text.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, name]) => name).sort()
  t.same(listed(runtime), Object.keys({ ...dependencies, ...optionalDependencies }).sort())
  t.same(listed(development), Object.keys({ ...devDependencies }).sort())
})

t.test('one file reads the environment', async t => {
  t.same(found(/\bprocess\.env\b|\benv\b.*from 'node:process'/), ['core/util/environment.ts: process.env'])
})

t.test('types are added to the package by its name', async t => {
  t.same(found(/declare module '\.[^']*'/), [])
})

t.test('no file is longer than 300 lines, unless it is a table', async t => {
  const lines = ({ text }: Source) => text.split('\n').length - 1
  t.same(wrong(source => lines(source) > 300 && !source.path.endsWith('.data.ts') ? [`${lines(source)} lines`] : [], all), [])
})

/** What every plugin may have, however short. */
const PREDICTABLE = /(^|\/)(index|operations|routes|tools|schemas|errors|options|types|tables|migrations|pages|topic|resource)\.ts$|\.data\.ts$/
/** Folders whose files are told apart by what they are about: each holds one of a kind. */
const COLLECTION = /\/(commands|operations|panels|routes|rules|targets|migrations)\/[^/]+$|^presets\/cli\/[^/]+-program\.ts$/
const SHORT = 40

t.test('no short file has but one importer, unless it is predictable, one of a kind, or tested by itself', async t => {
  const importers = new Map<string, string[]>()
  for (const source of all) {
    for (const path of filesOf(source)) importers.set(path, [...importers.get(path) ?? [], source.path])
  }
  const handedOn = new Set(sources.flatMap(({ path, text }) => [...text.matchAll(/^export .* from '(\.[^']+)'/gm)]
    .map(([, from = '']) => posix.join(dirname(path), from).replace(/\.js$/, '.ts'))))
  const fragments = sources.filter(({ path, text }) => path.endsWith('.ts') && text.split('\n').length <= SHORT &&
    !PREDICTABLE.test(path) && !COLLECTION.test(path) && !handedOn.has(path) && importers.get(path)?.length === 1)
  t.same(fragments.map(({ path }) => `${path} lives with ${importers.get(path)?.[0]}`), [])
})

t.test('names of files are one word or several with dashes', async t => {
  t.same([...sources, ...tests].map(({ path }) => path).filter(path => !/^[a-z0-9/-]+(\.[a-z0-9-]+)*\.(ts|mjs)$/.test(path)), [])
})

t.test('nothing is left to be done later, and nothing is silenced', async t => {
  t.same(found(/\b(TODO|FIXME|XXX)\b|@ts-(ignore|nocheck)/, all), [])
  t.same(found(/\bt\.(todo|only)\(|\{ (todo|only): true/, all), [])
})

t.test('no path of a single machine stands in the repository', async t => {
  t.same(found(/['"`(\s]\/(work|home|Users)\//, all), [])
})

// What plugins offer, as values: nothing of them runs for this.

/** Shared by plugins, and none itself. */
const LIBRARIES = new Set(['plugins/printer-servers'])
const PLUGINS = sources.flatMap(({ path }) => /^(plugins\/[^/]+)\/index\.ts$/.exec(path)?.[1] ?? [])
  .filter(folder => !LIBRARIES.has(folder))
type Face = { readonly operation?: AnyOperation }
interface Offered { readonly folder: string, readonly plugin: AnyPlugin, readonly faces: readonly Face[] }

async function offered (folder: string): Promise<Offered> {
  const plugin = (await import(`../${folder}/index.js`)).default as AnyPlugin
  const contributed = typeof plugin.contributes === 'function' ? plugin.contributes({}, {} as Services, {} as never) : plugin.contributes ?? {}
  return { folder, plugin, faces: Object.values(contributed).flat() as Face[] }
}
const offers = await Promise.all(PLUGINS.map(offered))

const isOperation = (value: unknown): value is AnyOperation => {
  const { name, effect, run, input } = (value ?? {}) as Partial<AnyOperation>
  return typeof name === 'string' && typeof effect === 'string' && typeof run === 'function' && typeof input === 'object'
}
const valuesOf = async (path: string): Promise<unknown[]> =>
  Object.values(await import(`../${path.replace(/\.ts$/, '.js')}`))
const flat = (value: unknown): unknown[] => Array.isArray(value) ? value.flatMap(flat) : [value]

const operationFiles = sources.map(({ path }) => path).filter(path => /^plugins\/[^/]+\/operations(\.ts$|\/)/.test(path))
const operations = (await Promise.all(operationFiles.map(async path =>
  (await valuesOf(path)).filter(isOperation).map(operation => ({ path, operation }))))).flat()
/** An interface of a preset gives faces too. */
const presetFaces = (await Promise.all(sources.filter(({ path }) => /^presets\/[^/]+\/routes(\.ts$|\/)/.test(path))
  .map(({ path }) => valuesOf(path)))).flatMap(flat) as Face[]
/** What only other services of a fleet ask for is contributed as it is. */
const faced = new Set([...offers.flatMap(({ faces }) => faces), ...presetFaces]
  .flatMap(face => [face?.operation, face as unknown as AnyOperation]))

t.test('every operation has a face, or is one for other services', async t => {
  t.ok(operations.length > 30, `${operations.length} operations`)
  t.same(operations.filter(({ operation }) => !faced.has(operation)).map(({ path, operation }) => `${path}: ${operation.name}`), [])
})

t.test('operations that others call by name are declared as what they are', async t => {
  const declared = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/interface Operations \{([^}]*)\}/g)].flatMap(([, members = '']) =>
      [...members.matchAll(/'([\w.]+)': typeof (\w+)/g)].map(([, name = '', exported = '']) => ({ path, name, exported }))))
  t.ok(declared.length > 0)
  for (const { path, name, exported } of declared) {
    const found = operations.find(({ operation }) => operation.name === name)
    t.ok(found && faced.has(found.operation), `${name} is contributed`)
    t.equal((await import(`../${found?.path.replace(/\.ts$/, '.js')}`) as Record<string, unknown>)[exported],
      found?.operation, path)
  }
})

t.test('every operation that changes a printer says what follows, in a sentence', async t => {
  const mute = operations.filter(({ operation: { effect, consequence = '' } }) =>
    (effect === 'write' || effect === 'destructive') && !/^[A-Z].*\.$/s.test(consequence))
  t.same(mute.map(({ operation }) => operation.name), [])
})

t.test('operations bear the name of their plugin', async t => {
  t.same(operations.filter(({ path, operation }) => !operation.name.startsWith(`${path.split('/')[1]}.`))
    .map(({ path, operation }) => `${path}: ${operation.name}`), [])
})

t.test('plugins are called like their folder, and state a version and a range', async t => {
  for (const { folder, plugin } of offers) {
    t.equal(`plugins/${plugin.name}`, folder)
    t.match(plugin, { version: /^\d+\.\d+\.\d+/, kernel: /^\^2\./ }, folder)
  }
})

const provider = new Map(offers.flatMap(({ plugin }) =>
  (plugin.provides ?? []).map(service => [String(service), plugin.name] as const)))

/** Services that a plugin's files read in one of these ways, and that it does not account for. */
const unaccounted = (ways: readonly RegExp[], isFine: (service: string, plugin: AnyPlugin) => boolean) =>
  offers.flatMap(({ folder, plugin }) => wrong(({ text }) =>
    ways.flatMap(way => [...text.matchAll(way)].flatMap(([, names = '']) => names.match(/[a-z]\w*/gi) ?? []))
      .filter(service => !isFine(service, plugin)),
  sources.filter(({ path }) => path.startsWith(`${folder}/`))))

t.test('who reads a service needs its plugin', async t => {
  t.same(unaccounted([/(?<!-)\bservices\.([a-z][A-Za-z]*)/g], (service, { name, needs = [] }) =>
    [name, ...needs].includes(provider.get(service) ?? '')), [])
})

t.test('who reads an optional service declares it, and reads nothing else that way', async t => {
  const ways = [/\boptional\.([a-z][A-Za-z]*)/g, /\boptional: \{([^}]*)\}/g, /\{([^}]*)\} = (?:\w+\.)*optional\b/g]
  t.same(unaccounted(ways, (service, { name, optional = [] }) =>
    optional.includes(service as never) || provider.get(service) === name), [])
  t.same(found(/ in (\w+\.)*services\b|\bservices as /), ['core/kernel/register-plugin.ts:  in kernel.services'])
  const unknown = offers.flatMap(({ plugin }) => (plugin.optional ?? []).filter(service => !provider.has(service)))
  t.same(unknown, [])
})

t.test('the plugins of the preset fit together', async t => {
  const { default: daemon } = await import('../presets/daemon/index.js')
  const { resolvePlugins } = await import('../core/kernel/resolve-plugins.js')
  const names = resolvePlugins(daemon.plugins).map(({ plugin }) => plugin.name)
  t.equal(new Set(names).size, names.length)
  for (const name of names) t.ok(PLUGINS.includes(`plugins/${name}`), name)
})

const REFERENCE = join(ROOT, 'docs', 'reference')
t.test('every error has its line in the reference', {
  skip: existsSync(REFERENCE) ? false : 'docs/reference is not there: it is printed by npm run docs'
}, async t => {
  const text = await readFile(join(REFERENCE, 'errors.md'), 'utf8')
  t.same(errorCatalogue().map(({ code }) => code).filter(code => !text.includes(code)), [])
})
