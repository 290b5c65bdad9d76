import { configPath, readConfig } from '../../../core/index.js'

interface Options { readonly config?: string }

export async function path ({ config }: Options): Promise<void> {
  console.log(configPath(config))
}

export async function check ({ config: file }: Options): Promise<void> {
  const { config, path, exists } = await readConfig(file, { warn: message => console.error(`Warning: ${message}`) })
  if (!exists) return console.log(`There is no ${path} yet; the defaults apply.`)
  const { printers, plugins } = config
  console.log(`${path} is good: ${printers.length} printers, options for ${Object.keys(plugins).length} plugins.`)
}
