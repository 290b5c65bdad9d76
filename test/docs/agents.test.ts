import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { VARIABLES } from '../../core/kernel/config.js'
import { POOL_START } from '../../core/kernel/ports.js'
import { createProgram } from '../../presets/cli/program.js'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDE = readFileSync(join(ROOT, 'docs', 'guides', 'agents.md'), 'utf8')
const { bin } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { bin: { prnd: string } }
const MAIN = `/path/to/prnd/${bin.prnd.slice('./'.length)}`

/** What an agent's program is told about a server, whatever its file calls it. */
interface Entry { readonly command: readonly string[], readonly url?: string, readonly env: Record<string, string> }
interface Written { command?: string | string[], args?: string[], url?: string, env?: Record<string, string> }

const blocks = (language: string): string[] =>
  [...GUIDE.matchAll(/^```(\w+)\n(.*?)^```$/gms)].flatMap(([, kind, text = '']) => kind === language ? text : [])

const entryOf = ({ command = [], args = [], url, env = {} }: Written): Entry =>
  ({ command: [command, args].flat(), ...(url !== undefined && { url }), env })

/** TOML as far as snippets need it: tables, and keys with a text or a list of texts, which JSON writes alike. */
function parseToml (text: string): Record<string, Record<string, unknown>> {
  const tables: Record<string, Record<string, unknown>> = {}
  let table: Record<string, unknown> | undefined
  for (const line of text.split('\n').filter(line => line.trim() !== '')) {
    const [, name] = /^\[([\w.]+)\]$/.exec(line) ?? []
    const [, key = '', value = ''] = /^(\w+) = (.+)$/.exec(line) ?? []
    if (name !== undefined) tables[name] = table = {}
    else if (table === undefined) throw new Error(`a key outside a table: ${line}`)
    else table[key] = JSON.parse(value)
  }
  return tables
}

/** Entries of whole files, of single lines in the text, and of Codex. */
function entries (): Entry[] {
  const files = blocks('json').map(text => JSON.parse(text) as Record<string, Record<string, Written> | undefined>)
  const servers = files.flatMap(file => Object.values(file.mcpServers ?? file.servers ?? file.mcp ?? {}))
  const spans = [...GUIDE.matchAll(/`("prnd": \{[^`]+\})`/g)]
    .map(([, text]) => (JSON.parse(`{${text}}`) as { prnd: Written }).prnd)
  const toml = blocks('toml').flatMap(text => Object.values(parseToml(text)))
  return [...servers, ...spans, ...toml].map(one => entryOf(one as Written))
}

/** What is wrong with the words that start a server, if anything. */
function wrongCommand (words: readonly string[]): string | undefined {
  const [program, ...more] = words[0] === 'cmd' && words[1] === '/c' ? words.slice(2) : words
  const [first, ...rest] = program === 'npx' && more[0] === '-y' ? more.slice(1) : more
  if (program === 'npx' && first === 'mcp-remote') return wrongUrl(rest[0] ?? '')
  if (program === 'npx' ? first !== 'prnd' : program !== 'node' || first !== MAIN) return `${words.join(' ')}: not prnd`
  const command = createProgram().commands.find(known => known.name() === rest[0])
  if (command === undefined) return `${words.join(' ')}: no command of prnd`
  return rest.length > 1 ? `${words.join(' ')}: more than a command` : undefined
}

function wrongUrl (text: string): string | undefined {
  const { protocol, port, pathname } = new URL(text)
  return protocol === 'http:' && port === String(POOL_START) && pathname === '/mcp' ? undefined : `${text}: not the endpoint`
}

function wrongIn ({ command, url, env }: Entry): string[] {
  const isCommand = command.length > 0
  return [
    isCommand ? wrongCommand(command) : undefined,
    url === undefined ? undefined : wrongUrl(url),
    isCommand === (url !== undefined) ? 'neither a command nor an address, or both' : undefined,
    ...Object.keys(env).filter(name => !isVariable(name) && !command.some(word => word.includes(`\${${name}}`)))
  ].filter(what => what !== undefined)
}

const isVariable = (name: string) => name in VARIABLES || name === 'PRN_CONFIG'

t.test('every entry for a program starts a command of ours, or names the endpoint', async t => {
  const all = entries()
  t.ok(all.length >= 10, `${all.length} entries`)
  t.same(all.flatMap(wrongIn), [])
})

t.test('a wrong entry would be found', async t => {
  t.strictSame(wrongIn(entryOf({ command: 'node', args: [MAIN, 'mcp'] })), [])
  t.strictSame(wrongIn(entryOf({ command: ['npx', '-y', 'prnd', 'mcp'] })), [])
  for (const wrong of [
    { command: 'node', args: [MAIN, 'mcpp'] }, { command: 'node', args: ['/path/to/prnd/main.js', 'mcp'] },
    { command: 'npx', args: ['-y', 'prn', 'mcp'] }, { command: 'npx', args: ['-y', 'prnd', 'mcp', '--port'] },
    { url: 'http://localhost:49152/' }, { url: 'http://localhost:8080/mcp' }, {},
    { command: 'npx', args: ['-y', 'prnd', 'mcp'], env: { PRN_TOKEN: 'x' } }
  ]) t.equal(wrongIn(entryOf(wrong)).length, 1, JSON.stringify(wrong))
  t.throws(() => parseToml('[a]\nurl = "x'))
  t.throws(() => parseToml('url = "x"'))
})

t.test('so does every line for a shell', async t => {
  const lines = blocks('sh').join('').split('\n').filter(line => / mcp add /.test(line))
  t.ok(lines.length >= 8, `${lines.length} lines`)
  for (const line of lines) {
    const [, started] = /\b((?:node|npx) .*? mcp)\b/.exec(line.replace(/^.*? mcp add /, '')) ?? []
    const [url] = /http:\S+/.exec(line) ?? []
    t.same(wrongIn(entryOf({ ...(started && { command: started.split(' ') }), ...(url && { url }) })), [], line)
  }
})

t.test('all variables of ours that the guide names exist', async t => {
  const names = new Set(GUIDE.match(/\bPRN_[A-Z_]+/g))
  t.ok(names.size >= 4)
  t.same([...names].filter(name => !isVariable(name)), [])
})
