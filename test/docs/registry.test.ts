import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { parse } from 'yaml'
import { ConfigSchema } from '../../core/index.js'
import { VARIABLES } from '../../core/kernel/config.js'
import { optionsOf } from '../../docs/generator/configuration.js'
import type { Schema } from '../../docs/generator/schema.js'
import { createProgram } from '../../presets/cli/program.js'

const ROOT = join(import.meta.dirname, '..', '..')
const readJson = <T>(path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as T

interface Variable { name: string, description: string, format?: string, isSecret?: boolean, isRequired?: boolean }
interface Registered {
  registryType: string
  registryBaseUrl: string
  identifier: string
  version: string
  runtimeHint: string
  runtimeArguments: { type: string, value: string }[]
  packageArguments: { type: string, value: string }[]
  transport: { type: string }
  environmentVariables: Variable[]
}
interface Server {
  $schema: string
  name: string
  title: string
  description: string
  version: string
  repository?: { url: string, source: string }
  packages: [Registered]
}
const server = readJson<Server>('server.json')
const [registered] = server.packages
const manifest = readJson<{ name: string, version: string, mcpName: string, repository: { url: string } }>('package.json')
const repository = new URL(manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, ''))
const [, owner = ''] = repository.pathname.split('/')

/** The name that the registry grants to who owns the repository: by its account, or by its domain. */
const namespaceOf = ({ hostname }: URL) => hostname === 'github.com' ? `io.github.${owner}` : hostname.split('.').reverse().join('.')

t.test('the registry takes the description: its names, lengths and forms', async t => {
  t.match(server.$schema, /^https:\/\/static\.modelcontextprotocol\.io\/schemas\/\d{4}-\d\d-\d\d\/server\.schema\.json$/)
  const members = ['$schema', 'name', 'title', 'description', 'version', 'repository', 'packages']
  t.same(Object.keys(server).filter(key => !members.includes(key)), [])
  t.match(server.name, /^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\/[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]$/)
  t.ok(server.description.length <= 100, `${server.description.length} characters`)
  t.ok(server.title.length <= 100)
  t.same(server.packages.map(({ registryType, registryBaseUrl }) => [registryType, registryBaseUrl]),
    [['npm', 'https://registry.npmjs.org']])
  t.strictSame(registered.transport, { type: 'stdio' })
  for (const { type, value } of [...registered.runtimeArguments, ...registered.packageArguments]) {
    t.equal(type, 'positional')
    t.type(value, 'string')
  }
})

t.test('the name belongs to who owns the repository, and the package says the same', async t => {
  t.equal(server.name, `${namespaceOf(repository)}/${manifest.name}`)
  t.equal(manifest.mcpName, server.name)
  t.equal(registered.identifier, manifest.name)
})

// The registry takes no other addresses. Without one the member is left out, as it may be.
t.test('the repository is named once it is at GitHub or GitLab', async t => {
  const source = /^(github|gitlab)\.com$/.exec(repository.hostname)?.[1]
  t.strictSame(server.repository, source && { url: repository.href, source })
})

t.test('every place that states the version states that of the package, and a release compares them', async t => {
  const bundle = readJson<{ version: string }>('docs/deploy/mcpb/manifest.json')
  t.same([server.version, registered.version, bundle.version], Array(3).fill(manifest.version))
  const workflow = parse(readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8')) as
    { jobs: { release: { steps: { run?: string }[] } } }
  const runs = workflow.jobs.release.steps.flatMap(({ run }) => run ?? [])
  const compared = runs.flatMap(run => /^for file in (.+); do$/m.exec(run)?.[1]?.split(' ') ?? [])
  t.same(compared.map(name => `${name}.json`), ['package.json', 'server.json', 'docs/deploy/mcpb/manifest.json'])
})

t.test('it starts a command of ours, with npx, which does not ask', async t => {
  t.equal(registered.runtimeHint, 'npx')
  t.same(registered.runtimeArguments.map(({ value }) => value), ['-y'])
  const [name, ...more] = registered.packageArguments.map(({ value }) => value)
  t.ok(createProgram().commands.some(command => command.name() === name), `${name}`)
  t.same(more, [])
})

t.test('the variables are settings of the service, none of them needed, and the secret one is marked', async t => {
  const secret = optionsOf(ConfigSchema as unknown as Schema)
    .filter(([, schema]) => (schema as { secret?: boolean }).secret).map(([path]) => path)
  const known = (name: string) => name in VARIABLES || name === 'PRN_CONFIG'
  const isSecret = (name: string) => secret.includes(VARIABLES[name] ?? '')
  const variables = registered.environmentVariables
  t.ok(variables.length > 4)
  t.same(variables.filter(({ name }) => !known(name)).map(({ name }) => name), [])
  t.same(variables.filter(one => (one.isSecret ?? false) !== isSecret(one.name)).map(({ name }) => name), [])
  t.ok(variables.some(({ name }) => isSecret(name)))
  t.same(variables.filter(({ isRequired }) => isRequired).map(({ name }) => name), [])
  t.same(variables.filter(({ format = 'string' }) => !['string', 'number', 'boolean', 'filepath'].includes(format)), [])
})
