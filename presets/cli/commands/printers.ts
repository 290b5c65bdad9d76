import { BadInput, nearest, readConfig, type ReadConfig } from '../../../core/index.js'
import { probe } from '../probe.js'

interface Options { readonly config?: string }

const read = async ({ config }: Options): Promise<ReadConfig> =>
  await readConfig(config, { warn: message => console.error(`Warning: ${message}`) })

export async function list (options: Options): Promise<void> {
  const { config: { printers }, path } = await read(options)
  if (printers.length === 0) return console.log(`No printer is configured in ${path}.`)
  for (const { name, host, serial } of printers) console.log(`${name.padEnd(24)} ${host.padEnd(24)} ${serial}`)
}

/** Connects once and tells how far it came. */
export async function test (name: string, options: Options & { acceptCertificate?: boolean }): Promise<void> {
  const { config } = await read(options)
  const entry = config.printers.find(printer => printer.name === name)
  if (!entry) {
    const close = nearest(name, config.printers.map(printer => printer.name))
    throw new BadInput(`There is no printer '${name}' in the configuration` + (close === undefined ? '' : `; did you mean '${close}'?`))
  }
  const { good, lines } = await probe(entry, config, options.acceptCertificate === true)
  for (const line of lines) console.log(line)
  if (!good) process.exitCode = 1
}
