import { readConfig, type Config } from '../../../core/index.js'
import { discover, type Discovered } from '../../../plugins/management/index.js'

interface Options { readonly config?: string, readonly seconds: number }

/** The ports of the discovery service, which the configuration may change. */
function portsOf ({ plugins }: Config): { main: number, old: number } {
  const { discoveryPort: main = 2021, oldDiscoveryPort: old = 1990 } =
    (plugins.management || {}) as { discoveryPort?: number, oldDiscoveryPort?: number }
  return { main, old }
}

const line = ({ name, ip, serial, model_decoded: model, connect_state: mode }: Discovered) =>
  [name.padEnd(24), ip.padEnd(16), serial.padEnd(16), model.padEnd(8), mode].join(' ').trimEnd()

// eslint-disable-next-line no-control-regex
const printable = (text: string) => text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '')

/** Listens for printers and shows each one as it is discovered. */
export default async function discoverPrinters ({ config: file, seconds }: Options): Promise<void> {
  const { config } = await readConfig(file)
  console.error(`Listening for printers for ${seconds} s …`)
  const found = await discover(seconds * 1000, {
    signal: new AbortController().signal,
    ports: portsOf(config),
    onFound: printer => console.log(printable(line(printer)))
  })
  if (found.length > 0) {
    return console.error('Add one with: prnd printers add NAME --host ADDRESS --serial SERIAL')
  }
  console.error('No printer was found. Announcements do not cross subnets or most container networks; ' +
    'you can still add a printer by its address.')
  process.exitCode = 1
}
