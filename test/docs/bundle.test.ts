import { spawn } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { VARIABLES } from '../../core/kernel/config.js'
import { testFolder } from '../helpers/folder.js'

const ROOT = join(import.meta.dirname, '..', '..')
const FOLDER = join(ROOT, 'docs', 'deploy', 'mcpb')
const START = join(FOLDER, 'start.mjs')

interface Field { type: string, title: string, description: string, required?: boolean, sensitive?: boolean }
interface Manifest {
  manifest_version: string
  name: string
  description: string
  author: { name: string }
  license: string
  icon: string
  server: {
    type: string
    entry_point: string
    mcp_config: { command: string, args: string[], env: Record<string, string> }
  }
  tools_generated: boolean
  prompts_generated: boolean
  user_config: Record<string, Field>
  compatibility: { platforms: string[], runtimes: { node: string } }
}
const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Manifest
const ours = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as
  { name: string, license: string, engines: { node: string }, scripts: { bundle: string } }

/** The files that `npm run bundle` puts into the archive, without their folders. */
function bundled (): string[] {
  const [, places = ''] = / -j prnd\.mcpb (.+)$/.exec(ours.scripts.bundle) ?? []
  return places.split(' ').flatMap(place => place.endsWith('/*')
    ? readdirSync(join(ROOT, dirname(place))).map(name => join(ROOT, dirname(place), name))
    : join(ROOT, place))
}

// The members and their rules are those of the specification of MCP bundles, version 0.3.
t.test('the manifest has the members that a bundle needs, and none that the format does not know', async t => {
  t.equal(manifest.manifest_version, '0.3')
  t.same([manifest.name, manifest.license], [ours.name, ours.license])
  for (const text of [manifest.description, manifest.author.name]) t.match(text, /\S/)
  const known = ['manifest_version', 'name', 'display_name', 'version', 'description', 'long_description', 'author', 'license',
    'keywords', 'icon', 'server', 'tools_generated', 'prompts_generated', 'user_config', 'compatibility']
  t.same(Object.keys(manifest).filter(key => !known.includes(key)), [])
  t.same(Object.keys(manifest.server), ['type', 'entry_point', 'mcp_config'])
  t.equal(manifest.server.type, 'node')
  t.equal(manifest.compatibility.runtimes.node, ours.engines.node)
  t.same([manifest.tools_generated, manifest.prompts_generated], [true, true], 'the service tells its tools itself')
})

t.test('the files that it names are in the bundle, the icon as a PNG', async t => {
  const files = bundled()
  t.same(files.filter(path => !existsSync(path)), [])
  const names = files.map(path => basename(path))
  t.equal(new Set(names).size, names.length, 'no two of the same name')
  t.same(names.sort(), ['manifest.json', manifest.server.entry_point, manifest.icon].sort())
  const icon = files.find(path => basename(path) === manifest.icon) ?? ''
  t.same([...readFileSync(icon).subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47])
  const { command, args } = manifest.server.mcp_config
  t.same([command, ...args], ['node', `\${__dirname}/${manifest.server.entry_point}`])
})

t.test('what it asks for reaches settings of the service, and nothing has to be filled in', async t => {
  const { env } = manifest.server.mcp_config
  t.same(Object.keys(env).filter(name => !(name in VARIABLES) && name !== 'PRN_CONFIG'), [])
  t.same(Object.values(env).sort(), Object.keys(manifest.user_config).map(name => `\${user_config.${name}}`).sort())
  for (const field of Object.values(manifest.user_config)) {
    t.ok(field.title && field.description && ['string', 'file'].includes(field.type))
    t.notOk(field.required)
  }
  t.equal(manifest.user_config.token?.sensitive, true)
})

/** Runs the start of the bundle with an `npx` that is this script, or with none. */
async function start (t: Test, npx: string | undefined, input: string, env: Record<string, string> = {}) {
  const folder = testFolder(t, npx === undefined ? {} : { npx: `#!${process.execPath}\n${npx}` })
  if (npx !== undefined) chmodSync(join(folder, 'npx'), 0o755)
  const child = spawn(process.execPath, [START], { env: { PATH: folder, ...env }, stdio: 'pipe' })
  const output = { out: '', errors: '' }
  child.stdout.on('data', (part: Buffer) => { output.out += part.toString() })
  child.stderr.on('data', (part: Buffer) => { output.errors += part.toString() })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, ...output }
}

const skip = process.platform === 'win32' && 'the stand-in for npx is a script with a shebang'

t.test('the start of the bundle hands everything to prnd mcp, but no field that was left empty', { skip }, async t => {
  const echo = `
    const { PRN_API_TOKEN, PRN_CONFIG } = process.env
    console.error('a message')
    console.log(JSON.stringify({ args: process.argv.slice(2), PRN_API_TOKEN, PRN_CONFIG }))
    process.stdin.pipe(process.stdout)
    process.exitCode = 3`
  const { code, out, errors } = await start(t, echo, 'a request\n',
    { PRN_API_TOKEN: 'chosen-token', PRN_CONFIG: '${user_config.config}' }) // eslint-disable-line no-template-curly-in-string
  const [first = '', ...rest] = out.split('\n')
  t.strictSame(JSON.parse(first), { args: ['-y', 'prnd', 'mcp'], PRN_API_TOKEN: 'chosen-token' })
  t.same([rest, errors, code], [['a request', ''], 'a message\n', 3])
})

t.test('without npx the start of the bundle says what to install', { skip }, async t => {
  const { code, out, errors } = await start(t, undefined, 'a request\n')
  t.equal(code, 127)
  t.equal(out, '')
  t.match(errors, /npx was not found\. Install Node 20\.19 or later/)
})
