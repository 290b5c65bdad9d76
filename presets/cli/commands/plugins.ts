import { createKernel, readConfig, type AnyPlugin, type Kernel } from '../../../core/index.js'
import daemon from '../../daemon/index.js'

interface Options { readonly config?: string }

/** Everything is checked and nothing is started: no port is opened and no printer is spoken to. */
async function load ({ config: file }: Options): Promise<Kernel> {
  const { config, path } = await readConfig(file)
  return await createKernel(daemon, { ...config, printers: [] }, { configFile: path })
}

const count = (kernel: Kernel, kind: 'routes' | 'tools', plugin: string) =>
  kernel.contributed(kind).filter(face => kernel.originOf(face) === plugin).length

function describe (kernel: Kernel, { name, version, kernel: range, uses = [], description = '' }: AnyPlugin): string {
  const touches = uses.length === 0 ? 'nothing' : uses.join(', ')
  return `${name.padEnd(16)} ${version.padEnd(8)} kernel ${range.padEnd(8)} ` +
    `${String(count(kernel, 'routes', name)).padStart(3)} routes ${String(count(kernel, 'tools', name)).padStart(3)} tools  ` +
    `touches ${touches}. ${description}`
}

export async function list (options: Options): Promise<void> {
  const kernel = await load(options)
  for (const plugin of kernel.plugins.values()) console.log(describe(kernel, plugin))
  await kernel.close()
}

export async function check (options: Options): Promise<void> {
  const kernel = await load(options)
  await kernel.start({ listen: false })
  console.log(`All ${kernel.plugins.size} plugins start.`)
  await kernel.close()
}
