import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  BadInput, editConfig, isNewer, isServiceError, NotFound, readConfig, runNpm, selectPlugins, type ReadConfig
} from '../../../core/index.js'
import daemon from '../../daemon/index.js'
import { KEYWORD, packageFacts, parsePackage, searchPackages, type PackageFacts } from '../plugin-packages/package-facts.js'
import { printable, table } from '../table.js'
import { ask, screen } from './jobs.js'

interface Options { readonly config?: string }
export interface ChangeOptions extends Options { readonly yes?: boolean }

/** npm installs what is missing also while it removes something. */
const COMMON = ['--ignore-scripts', '--legacy-peer-deps', '--omit=dev', '--no-audit', '--no-fund', '--loglevel=error']
const INSTALL = ['install', '--save-exact', ...COMMON]
const RIGHTS = 'It runs with all rights of the service: it can send commands to printers, and read access codes and files.'
const RESTART = 'A running service loads it after a restart.'

/** Plugins by name from the registry; nothing is installed. */
export async function search (words: readonly string[], { json = false }: { readonly json?: boolean }): Promise<void> {
  const { say, colours } = screen()
  const hits = await searchPackages(words, process.cwd())
  if (json) return console.log(JSON.stringify(hits, null, 2))
  if (hits.length === 0) return say(`The registry has no plugin for that. Plugins have the keyword ${KEYWORD}.`)
  for (const line of table(hits.map(({ name, version, date = '', description = '' }) =>
    [printable(name), printable(version), date.slice(0, 10), printable(description)]), colours)) say(line)
  say('prnd plugins add NAME shows more of one, and asks before it installs it.')
}

const KB = 1_000
const sizeText = (bytes: number) => bytes < KB * KB ? `${Math.ceil(bytes / KB)} kB` : `${(bytes / KB / KB).toFixed(1)} MB`

/** What a person should know before it is installed. */
function linesOf ({ name, version, description, repository, hasProvenance, ...facts }: PackageFacts): string[] {
  const { publishedAt, publishedBy, license, bytes, dependencies } = facts
  const published = [publishedAt.slice(0, 10), publishedBy === '' ? '' : `by ${publishedBy}`].filter(text => text !== '').join(' ')
  const about = [
    published === '' ? '' : `published ${published}`,
    license === '' ? 'no licence stated' : license,
    bytes === undefined ? '' : sizeText(bytes),
    `${dependencies} ${dependencies === 1 ? 'dependency' : 'dependencies'}`
  ].filter(text => text !== '').join(', ')
  const source = repository === '' ? 'a repository that it does not name' : repository
  return [
    `${name} ${version}${description === '' ? '' : `: ${description}`}`,
    `  ${about}`,
    hasProvenance
      ? `  Built in public from ${source}, says the registry (provenance; npm audit signatures checks it).`
      : `  Without provenance: nobody but its publisher knows what it was built from. It names ${source}.`
  ].map(printable)
}

const folderOf = ({ path }: ReadConfig): string => dirname(path)

/** Whether its publisher calls it a plugin: a slip in the name may lead to any package. */
function checkPlugin ({ name, isPlugin }: PackageFacts): void {
  if (isPlugin) return
  throw new BadInput(`${name} does not say that it is a plugin (keyword ${KEYWORD}). ` +
    'If you know that it is one, install it with npm and name it in the configuration')
}

async function install (read: ReadConfig, { name, version }: PackageFacts): Promise<void> {
  const folder = folderOf(read)
  await mkdir(folder, { recursive: true })
  await runNpm([...INSTALL, '--prefix', '.', `${name}@${version}`], folder, `npm could not install ${name} in ${folder}`)
}

/** @returns why the service would not load it; undefined if it would */
async function loadProblem ({ config, path }: ReadConfig, name: string): Promise<string | undefined> {
  const plugins = { ...config.plugins, [name]: config.plugins[name] ?? {} }
  try {
    const { skipped } = await selectPlugins(daemon, { plugins }, path)
    return skipped.find(one => one.plugin === name || one.error.message.includes(name))?.error.message
  } catch (error) {
    if (isServiceError(error)) return error.message
    throw error
  }
}

/** Installs a plugin beside the configuration, and names it there. */
export async function add (text: string, { config: file, yes = false }: ChangeOptions): Promise<void> {
  const { say } = screen()
  const read = await readConfig(file)
  const facts = await packageFacts(text, process.cwd())
  checkPlugin(facts)
  const { name, version } = facts
  for (const line of [...linesOf(facts), RIGHTS]) say(line)
  if (!yes && !await ask(`Install it in ${folderOf(read)}, and add it to the configuration?`)) return say('Nothing was installed.')
  await install(read, facts)
  const problem = await loadProblem(read, name)
  if (problem !== undefined) {
    throw new BadInput(`${name} ${version} is installed, and was not added to the configuration: ${problem}. ` +
      `prnd plugins remove ${name} removes it`)
  }
  await editConfig(read.path, tree => {
    const plugins = tree.plugins as Record<string, unknown> | undefined
    tree.plugins = { ...plugins, [name]: plugins?.[name] ?? {} }
  })
  say(`${name} ${version} was added to ${read.path}. ${RESTART}`)
}

/** Version of an installed package; undefined if it is not there. */
async function installedVersion (read: ReadConfig, name: string): Promise<string | undefined> {
  const manifest = await readFile(join(folderOf(read), 'node_modules', name, 'package.json'), 'utf8').catch(() => undefined)
  return manifest === undefined ? undefined : (JSON.parse(manifest) as { version?: string }).version
}

/** Removes a plugin from the configuration, and what was installed; what it stored stays. */
export async function remove (text: string, { config: file }: Options): Promise<void> {
  const { name } = parsePackage(text)
  const read = await readConfig(file)
  const isNamed = Object.hasOwn(read.config.plugins, name)
  const version = await installedVersion(read, name)
  if (!isNamed && version === undefined) throw new NotFound(`${name} is neither in ${read.path} nor installed beside it`)
  if (isNamed) {
    await editConfig(read.path, tree => {
      const { [name]: _, ...others } = tree.plugins as Record<string, unknown>
      tree.plugins = others
    })
  }
  if (version !== undefined) {
    await runNpm(['uninstall', ...COMMON, '--prefix', '.', name], folderOf(read), `npm could not remove ${name}`)
  }
  screen().say(`${name} was removed, with its options. What it stored in the data folder stays. A running service forgets it after a restart.`)
}

/** Installs newer versions of plugins that were installed beside the configuration, each after a question. */
export async function update (text: string | undefined, { config: file, yes = false }: ChangeOptions): Promise<void> {
  const { say } = screen()
  const read = await readConfig(file)
  const wanted = text === undefined ? undefined : parsePackage(text).name
  const names = wanted === undefined ? Object.keys(read.config.plugins) : [wanted]
  let count = 0
  for (const name of names) {
    const version = /^[./]/.test(name) ? undefined : await installedVersion(read, name)
    if (version === undefined) {
      if (wanted === undefined) continue // built in, or a file
      throw new NotFound(`${name} is not installed beside ${read.path}`)
    }
    count++
    const facts = await packageFacts(name, process.cwd())
    if (facts.version === version) {
      say(`${name} ${version} is the newest version.`)
      continue
    }
    if (isNewer(version, facts.version)) {
      say(`${name} ${version} is newer than ${facts.version}, the latest version of the registry, and stays. ` +
        `prnd plugins add ${name}@${facts.version} goes back.`)
      continue
    }
    checkPlugin(facts)
    for (const line of linesOf(facts)) say(line)
    if (!yes && !await ask(`Install it in place of ${version}?`)) continue
    await install(read, facts)
    const problem = await loadProblem(read, name)
    say(problem === undefined
      ? `${name} ${facts.version} was installed. ${RESTART}`
      : `${name} ${facts.version} is installed, but the service would skip it: ${problem}. Go back with prnd plugins add ${name}@${version}.`)
  }
  if (count === 0) say(`No plugin of the registry is named in ${read.path}.`)
}
