import {
  NotFound, pluginFacts, readConfig, type PluginFacts, type PluginFault, type ReadConfig, type ServiceError
} from '../../../core/index.js'
import { PLUGINS_PATH } from '../../../plugins/management/index.js'
import { runningService } from '../service.js'
import { load, tryPlugins } from './check-plugins.js'

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

/** What a plugin adds, line by line. */
function partsOf (plugin: PluginFacts): string[] {
  const { routes, tools, provides, needs } = plugin
  const others = othersOf(plugin)
  return [
    ...routes.map(({ method, path, does }) => `route    ${method} /api${path}: ${does}`),
    ...tools.map(({ name, does, effect }) => `tool     ${name} (${effect}): ${does}`),
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

/** What went wrong in the plugins of a service that runs with the same configuration. */
async function faultsNow (read: ReadConfig): Promise<ReadonlyMap<string, readonly PluginFault[]>> {
  const service = await runningService(read).catch(() => undefined) // one that we may not ask says nothing
  const answer = await service?.get<{ plugins: readonly PluginFacts[] }>(PLUGINS_PATH).catch(() => undefined)
  return new Map((answer?.plugins ?? []).map(({ name, faults }) => [name, faults]))
}

/** @throws PRN_ERR_NOT_FOUND for a name that is none */
export async function list (name: string | undefined, { config: file, json = false }: Options): Promise<void> {
  const read = await readConfig(file)
  const kernel = await load(read)
  await kernel.close()
  const faults = await faultsNow(read)
  const plugins = pluginFacts(kernel).map(plugin => ({ ...plugin, faults: faults.get(plugin.name) ?? [] }))
  const chosen = plugins.filter(plugin => name === undefined || plugin.name === name)
  if (chosen.length === 0) throw new NotFound(`There is no plugin '${name}'`)
  if (json) return toJson({ plugins: chosen })
  for (const plugin of chosen) {
    for (const line of linesOf(plugin, plugin.outside || name !== undefined)) console.log(line)
  }
}

/** One line each; the code leads to the reference. */
const problemLine = ({ message, code }: ServiceError) => `${message} [${code}]\n`

/** Ends with 1 and every problem that would stop the start. */
export async function check ({ config: file, json = false }: Options): Promise<void> {
  const outcome = await tryPlugins(file)
  if ('problems' in outcome) {
    const problems = outcome.problems.map(({ code, message }) => ({ code, message }))
    if (json) toJson({ ok: false, problems })
    else process.stderr.write(outcome.problems.map(problemLine).join(''))
    process.exitCode = 1
    return
  }
  const plugins = pluginFacts(outcome.kernel)
  if (json) return toJson({ ok: true, plugins })
  for (const plugin of plugins.filter(({ outside }) => outside)) {
    for (const line of linesOf(plugin, true)) console.log(line)
  }
  console.log(plugins.length === 1 ? 'The plugin starts.' : `All ${plugins.length} plugins start.`)
}
