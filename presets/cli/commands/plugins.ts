import {
  NotFound, readConfig, selectionFacts, selectPlugins, type PluginFacts, type PluginFault, type ReadConfig
} from '../../../core/index.js'
import { PLUGINS_PATH, type PluginReport, type SkippedFacts } from '../../../plugins/management/index.js'
import daemon from '../../daemon/index.js'
import { runningService } from '../service.js'

interface Options { readonly config?: string, readonly json?: boolean }

const amount = (count: number, what: string) => `${String(count).padStart(3)} ${what}`

function headOf ({ name, version, kernel, uses, description, routes, tools }: PluginFacts): string {
  const touches = uses.length === 0 ? 'nothing' : uses.join(', ')
  return `${name.padEnd(16)} ${version.padEnd(8)} kernel ${kernel.padEnd(8)} ` +
    `${amount(routes.length, 'routes')} ${amount(tools.length, 'tools')}  touches ${touches}. ${description}`
}

function othersOf ({ contributes }: PluginFacts): string {
  const others = Object.entries(contributes).filter(([kind]) => kind !== 'routes' && kind !== 'tools')
  return others.map(([kind, count]) => `${count} ${kind}`).join(', ')
}

const faultLine = ({ part, count, message, at, cutOff }: PluginFault) =>
  `${part}: ${count} ×, last ${new Date(at).toISOString()}: ${message}${cutOff ? ' (disabled)' : ''}`

/** A plugin's contributions, line by line. */
function partsOf (plugin: PluginFacts): string[] {
  const { routes, tools, settings, provides, needs } = plugin
  const others = othersOf(plugin)
  return [
    ...routes.map(({ method, path, does }) => `route    ${method} /api${path}: ${does}`),
    ...tools.map(({ name, does, effect }) => `tool     ${name} (${effect}): ${does}`),
    ...settings.map(name => `setting  ${name}`),
    ...others === '' ? [] : [`adds     ${others}`],
    ...provides.length === 0 ? [] : [`provides ${provides.join(', ')}`],
    ...needs.length === 0 ? [] : [`needs    ${needs.join(', ')}`]
  ]
}

function linesOf (plugin: PluginFacts, whole: boolean): string[] {
  const inside = [
    ...whole ? partsOf(plugin) : [],
    ...plugin.faults.map(fault => `fault    ${faultLine(fault)}`)
  ]
  return [headOf(plugin), ...inside.map(line => `    ${line}`)]
}

const toJson = (value: object) => console.log(JSON.stringify(value, null, 2))

/**
 * The plugins of a running service with the same configuration; undefined if there is none, or it does not report them.
 */
async function reportOfService (read: ReadConfig): Promise<PluginReport | undefined> {
  const service = await runningService(read).catch(() => undefined)
  return await service?.get<PluginReport>(PLUGINS_PATH).catch(() => undefined)
}

/** The selected plugins, determined without starting any, and the running service's report on them. */
async function inspect (file: string | undefined) {
  const read = await readConfig(file)
  const selection = await selectPlugins(daemon, read.config, read.path)
  const { plugins: running = [], skipped: left = [] } = await reportOfService(read) ?? {}
  const own = selection.skipped.map(({ plugin, error: { code, message } }) => ({ plugin, code, message }))
  return {
    plugins: selectionFacts(selection)
      .map(plugin => ({ ...plugin, faults: running.find(({ name }) => name === plugin.name)?.faults ?? [] })),
    skipped: [...own, ...left.filter(({ message }) => own.every(problem => problem.message !== message))]
  }
}

/** The code is a link to the reference. */
const problemOf = ({ message, code }: SkippedFacts) => `${message} [${code}]`

/** @throws PRN_ERR_NOT_FOUND for an unknown name */
export async function list (name: string | undefined, { config: file, json = false }: Options): Promise<void> {
  const { plugins, skipped } = await inspect(file)
  const isChosen = (own: string) => name === undefined || own === name
  const chosen = {
    plugins: plugins.filter(plugin => isChosen(plugin.name)),
    skipped: skipped.filter(({ plugin }) => isChosen(plugin))
  }
  if (chosen.plugins.length + chosen.skipped.length === 0) throw new NotFound(`There is no plugin '${name}'`)
  if (json) return toJson(chosen)
  for (const plugin of chosen.plugins) {
    for (const line of linesOf(plugin, plugin.outside || name !== undefined)) console.log(line)
  }
  for (const problem of chosen.skipped) console.log(`${problem.plugin.padEnd(16)} skipped: ${problemOf(problem)}`)
}

/**
 * Exits with 1 and a line for every plugin that the service would skip. No plugin is set up, as that could disturb a
 * running service's broker or files. Failures of the setup are reported by the service, if it is running.
 */
export async function check ({ config: file, json = false }: Options): Promise<void> {
  const { plugins, skipped } = await inspect(file)
  if (skipped.length > 0) process.exitCode = 1
  if (json) return toJson(skipped.length === 0 ? { ok: true, plugins } : { ok: false, problems: skipped })
  if (skipped.length > 0) return console.error(skipped.map(problemOf).join('\n'))
  for (const plugin of plugins.filter(({ outside }) => outside)) {
    for (const line of linesOf(plugin, true)) console.log(line)
  }
  console.log(`All ${plugins.length} plugins can be loaded. The service says when the setup of one fails.`)
}
