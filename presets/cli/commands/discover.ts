import { readConfig, type Config } from '../../../core/index.js'
import { DETECT_PORTS, detectPrinter, discover, type DetectPorts, type Discovered } from '../../../plugins/management/index.js'

interface Options {
  readonly config?: string
  readonly seconds: number
  /** Asks there instead of listening. */
  readonly host?: string
}

type ManagementOptions = Partial<Record<'discoveryPort' | 'oldDiscoveryPort' | 'detectPort' | 'detectTlsPort', number>>

/** The ports of the discovery service, which the configuration may change. */
function portsOf ({ plugins }: Config): { main: number, old: number } {
  const { discoveryPort: main = 2021, oldDiscoveryPort: old = 1990 } = (plugins.management || {}) as ManagementOptions
  return { main, old }
}

function detectPortsOf ({ plugins }: Config): DetectPorts {
  const { detectPort: plain = DETECT_PORTS.plain, detectTlsPort: tls = DETECT_PORTS.tls } =
    (plugins.management || {}) as ManagementOptions
  return { plain, tls }
}

const line = ({ name, ip, serial, model_decoded: model, connect_state: mode }: Discovered) =>
  [name.padEnd(24), ip.padEnd(16), serial.padEnd(16), model.padEnd(8), mode].join(' ').trimEnd()

// eslint-disable-next-line no-control-regex
const printable = (text: string) => text.replaceAll(/[\u0000-\u001F\u007F-\u009F]/g, '')

/** Asks an address which printer is there. Nothing proves the answer. */
async function detect (host: string, config: Config): Promise<void> {
  const found = await detectPrinter(host, new AbortController().signal, detectPortsOf(config))
  if (found !== undefined) {
    console.log(printable(line(found)))
    return console.error('Compare the serial number with the one on its screen.\n' +
      `Add it with: prnd printers add NAME --host ${host} --serial ${found.serial}`)
  }
  console.error(`No printer says at ${host} which one it is; some models do not. The serial number is on its screen.`)
  process.exitCode = 1
}

/** Listens for printers and shows each one as it is discovered. */
export default async function discoverPrinters ({ config: file, seconds, host }: Options): Promise<void> {
  const { config } = await readConfig(file)
  if (host !== undefined) return await detect(host, config)
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
