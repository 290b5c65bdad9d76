import {
  createKernel, isServiceError, loadPlugin, pluginNames, readConfig, type Kernel, type ReadConfig, type ServiceError
} from '../../../core/index.js'
import daemon from '../../daemon/index.js'

type Entries = Readonly<Record<string, object | false>>

/** The result of an attempt: the kernel if everything starts, otherwise the problems. */
export type Outcome = { readonly kernel: Kernel } | { readonly problems: readonly ServiceError[] }

/** Checks everything without opening a port or connecting to a printer. */
export const load = async ({ config, path }: ReadConfig): Promise<Kernel> =>
  await createKernel(daemon, { ...config, printers: [] }, { configFile: path })

/** Sets everything up and ends it again. @throws what would stop the start of the service */
async function tryOut (read: ReadConfig): Promise<Kernel> {
  const kernel = await load(read)
  try {
    await kernel.start({ listen: false })
    return kernel
  } finally {
    await kernel.close()
  }
}

/** @throws what is no error of the service */
const expected = (error: unknown): ServiceError => {
  if (isServiceError(error)) return error
  throw error
}

/** Names of the plugins that can be loaded, by what the configuration calls them, and what the others lack. */
async function loadAll (references: readonly string[], path: string, own: ReadonlySet<string>) {
  const names = new Map<string, string>()
  const problems: ServiceError[] = []
  for (const reference of references) {
    await loadPlugin(reference, path, own).then(({ name }) => names.set(reference, name),
      (error: unknown) => problems.push(expected(error)))
  }
  return { names, problems }
}

/**
 * Loads and sets up every plugin of a configuration. What is broken is left out and the rest tried again, so that each
 * broken one is named.
 */
export async function tryPlugins (file: string | undefined): Promise<Outcome> {
  const read = await readConfig(file)
  const { plugins = {} } = read.config as { plugins?: Entries }
  const own = pluginNames(daemon.plugins)
  const references = Object.keys(plugins).filter(name => !own.has(name) && plugins[name] !== false)
  const { names, problems } = await loadAll(references, read.path, own)
  const left = new Set(names.keys())
  for (;;) {
    const isTried = ([name]: [string, unknown]) => !references.includes(name) || left.has(name)
    const tried = Object.fromEntries(Object.entries(plugins).filter(isTried))
    try {
      const kernel = await tryOut({ ...read, config: { ...read.config, plugins: tried } } as ReadConfig)
      return problems.length === 0 ? { kernel } : { problems }
    } catch (error) {
      const problem = expected(error)
      problems.push(problem)
      const culprit = [...left].findLast(reference => problem.message.includes(`'${names.get(reference)}'`))
      if (culprit === undefined) return { problems }
      left.delete(culprit)
    }
  }
}
