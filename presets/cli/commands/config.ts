import { configPath, createKernel, definePreset, readConfig } from '../../../core/index.js'

interface Options { readonly config?: string }

const NOTHING = definePreset({ name: 'check', plugins: [] })

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

export async function path ({ config }: Options): Promise<void> {
  console.log(configPath(config))
}

/** Validates the file and everything that it refers to, except plugins: see `plugins check`. */
export async function check ({ config: file }: Options): Promise<void> {
  const { config, path, exists } = await readConfig(file, { warn: message => console.error(`Warning: ${message}`) })
  if (!exists) return console.log(`There is no ${path} yet; the defaults apply.`)
  const { printers, plugins } = config
  // Creating a kernel reads the referenced access codes and certificate authorities.
  const kernel = await createKernel(NOTHING, { ...config, plugins: {}, log: { file: false } })
  await kernel.close()
  console.log(`${path} is good: ${count(printers.length, 'printer')}, options for ${count(Object.keys(plugins).length, 'plugin')}.`)
}
