import { createRequire, register } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { PluginLoad } from './errors.js'
import type { AnyPlugin } from './plugin.js'

/** How long a plugin's module may take to evaluate. */
const IMPORT_MS = 10_000

/**
 * Imports an outside plugin by package name or path. Resolution starts at the configuration file.
 * @throws PRN_ERR_PLUGIN_LOAD
 */
export async function loadPlugin (reference: string, configFile: string): Promise<AnyPlugin> {
  shareThisPackage()
  const file = locate(reference, configFile)
  const module = await withinTime(reference, import(pathToFileURL(file).href).catch((error: Error) => {
    throw new PluginLoad(reference, error.message, { cause: error })
  }))
  const plugin = (module as { default?: unknown }).default
  const problem = shapeProblem(plugin)
  if (problem !== undefined) throw new PluginLoad(reference, problem)
  return plugin as AnyPlugin
}

function locate (reference: string, configFile: string): string {
  if (isAbsolute(reference) || reference.startsWith('.')) return resolve(dirname(configFile), reference)
  try {
    return createRequire(join(dirname(configFile), 'config.json')).resolve(reference)
  } catch (error) {
    throw new PluginLoad(reference, `it is not installed where ${configFile} can find it ` +
      `(npm install ${reference} in ${dirname(configFile)})`, { cause: error })
  }
}

/** A plugin is told by its shape: it may have been made with another copy of this package. */
function shapeProblem (plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'its default export is no plugin (use definePlugin)'
  for (const key of ['name', 'version', 'kernel']) {
    if (typeof (plugin as Record<string, unknown>)[key] !== 'string') return `its '${key}' is missing`
  }
  return undefined
}

async function withinTime<T> (reference: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(
      new PluginLoad(reference, `its module did not finish loading within ${IMPORT_MS / 1000} s`)), IMPORT_MS)
  })
  return await Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Runs in the module loader's own thread: every `prn` leads to the copy that is running. */
const RESOLVER = `
let own
export const initialize = data => { own = data.own }
export const resolve = (specifier, context, next) =>
  specifier === 'prn' || specifier.startsWith('prn/')
    ? next(specifier, { ...context, parentURL: own })
    : next(specifier, context)`

let shared = false

/** Lets plugins import this package from any folder, and always the one copy that runs. */
function shareThisPackage (): void {
  if (shared) return
  shared = true
  register(`data:text/javascript,${encodeURIComponent(RESOLVER)}`, import.meta.url, { data: { own: import.meta.url } })
}
