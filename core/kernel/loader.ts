import { existsSync } from 'node:fs'
import { createRequire, register } from 'node:module'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BadConfig, PluginLoad } from '../errors.js'
import { closestMatch } from '../util/closest-match.js'
import type { AnyPlugin } from './plugin.js'
import { isVersion } from './version.js'
import { withTimeout } from '../util/with-timeout.js'

/** Time limit for evaluating a plugin's module. */
const IMPORT_MS = 10_000

/**
 * Imports an outside plugin by package name or path, resolved against the configuration file.
 * @param known names of built-in plugins, one of which may have been meant
 * @throws PRN_ERR_PLUGIN_LOAD; PRN_ERR_CONFIG for a misspelt built-in plugin, whose options would otherwise be ignored
 */
export async function loadPlugin (reference: string, configFile: string, known: Iterable<string> = []):
Promise<AnyPlugin> {
  shareThisPackage()
  const file = isPath(reference) ? locateFile(reference, configFile) : locatePackage(reference, configFile, [...known])
  const imported = import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new PluginLoad(reference, importProblem(error, file), { cause: error })
  })
  const module = await withTimeout(IMPORT_MS, imported, () =>
    new PluginLoad(reference, `its module did not finish loading within ${IMPORT_MS / 1000} s`))
  const plugin = (module as { default?: unknown }).default
  const problem = shapeProblem(plugin)
  if (problem !== undefined) throw new PluginLoad(reference, problem)
  return plugin as AnyPlugin
}

/** The file from which a configured plugin is loaded; undefined if there is none. */
export function locatePlugin (reference: string, configFile: string): string | undefined {
  try {
    return requireFrom(configFile).resolve(reference)
  } catch {
    return undefined
  }
}

/** A SyntaxError has no location, except about exports, so a command that shows it is added. */
function importProblem (error: unknown, file: string): string {
  if (!(error instanceof Error)) return String(error)
  const hidden = error instanceof SyntaxError && !error.message.includes('export named')
  return hidden ? `${error.message} (node --check ${file} shows where)` : error.message
}

const isPath = (reference: string) => isAbsolute(reference) || reference.startsWith('.')

const requireFrom = (configFile: string) => createRequire(join(resolve(dirname(configFile)), 'config.json'))

function locateFile (reference: string, configFile: string): string {
  try {
    return requireFrom(configFile).resolve(reference)
  } catch (error) {
    throw new PluginLoad(reference, `there is no file ${resolve(dirname(configFile), reference)}`, { cause: error })
  }
}

function locatePackage (reference: string, configFile: string, known: readonly string[]): string {
  const { resolve } = requireFrom(configFile)
  try {
    return resolve(reference)
  } catch (error) {
    if (resolve.paths(reference)?.some(folder => existsSync(join(folder, reference, 'package.json')))) {
      throw new PluginLoad(reference, "it is installed, but its package.json points to no file; 'exports' needs " +
        "a 'default' condition, and the package may have to be built", { cause: error })
    }
    const close = closestMatch(reference, known)
    if (close !== undefined) throw new BadConfig(`plugins.${reference}: there is no such plugin; did you mean '${close}'?`)
    throw new PluginLoad(reference,
      `it is not installed where ${configFile} can find it (npm install ${reference} in ${dirname(configFile)})`,
      { cause: error })
  }
}

/** A plugin is recognised by its shape, as it may have been defined with another copy of this package. */
function shapeProblem (plugin: unknown): string | undefined {
  if (typeof plugin !== 'object' || plugin === null) return 'its default export is not a plugin (use definePlugin)'
  const { name, version, kernel, setup } = plugin as Record<string, unknown>
  for (const [key, value] of Object.entries({ name, version, kernel })) {
    if (typeof value !== 'string' || value === '') return `its '${key}' is missing`
  }
  if (!isVersion(version as string)) return `its version '${version}' is not a version such as 1.2.3`
  return setup === undefined || typeof setup === 'function' ? undefined : "its 'setup' is not a function"
}

/**
 * Runs in the module loader's own thread. Every import of `prnd` resolves to the running copy. A plugin without
 * packages of its own, next to the configuration, gets our `typebox`.
 */
const RESOLVER = `
let own
export const initialize = data => { own = data.own }
export const resolve = async (specifier, context, next) => {
  const ours = { ...context, parentURL: own }
  if (/^prnd(\\/|$)/.test(specifier)) return next(specifier, ours)
  if (!/^typebox(\\/|$)/.test(specifier)) return next(specifier, context)
  return await next(specifier, context).catch(() => next(specifier, ours))
}`

let shared = false

/** Lets plugins import this package from any folder, always as the running copy. */
function shareThisPackage (): void {
  if (shared) return
  shared = true
  register(`data:text/javascript,${encodeURIComponent(RESOLVER)}`, import.meta.url, { data: { own: import.meta.url } })
}
