import { BadInput, environment, type Config, type Kernel } from '../../core/index.js'
import { baseAddress, portNote } from '../address.js'

export const USUAL_PORT = 5000
const LOOPBACK = '127.0.0.1'

export interface AppSettings {
  readonly host?: string | undefined
  readonly port?: number | undefined
}

/** An empty variable counts as unset. */
const given = (text: string | undefined): string | undefined => text?.trim() === '' ? undefined : text

/** The two addresses of `localhost` would need two servers, of which only one could serve sockets. */
const addressOf = (host: string): string => host === 'localhost' ? LOOPBACK : host

/** The one printer: as configured, or set in the environment, else the first. @throws PRN_ERR_BAD_INPUT */
function printersOf ({ printers, defaultPrinter }: Config): Config['printers'] {
  if (defaultPrinter === undefined || printers.length === 0) return printers.slice(0, 1)
  const chosen = printers.find(({ name }) => name.toLowerCase() === defaultPrinter.toLowerCase())
  const names = printers.map(({ name }) => name).join(', ')
  if (!chosen) throw new BadInput(`There is no printer '${defaultPrinter}'; configured: ${names}`)
  return [chosen]
}

/**
 * The configuration for one printer. Port and host in the file are those of the daemon and are ignored: the GET routes
 * that control a printer must not be exposed by a setting for another application.
 */
export function configFor (config: Config, { host, port }: AppSettings, env = environment()): Config {
  const { defaultPrinter: _one, ...others } = config
  const fromEnvironment = given(env.PRN_API_PORT) === undefined ? undefined : config.ports.preferred
  const wanted = port ?? fromEnvironment
  return {
    ...others,
    printers: printersOf(config),
    api: { ...config.api, host: addressOf(host ?? given(env.PRN_API_HOST) ?? LOOPBACK) },
    ports: { ...config.ports, preferred: wanted ?? USUAL_PORT, ...(wanted === undefined && { strict: false }) }
  }
}

const isLocal = (host: string): boolean => host === LOOPBACK || host === '::1'

/** Prints the addresses, and deviations from the requested ones. */
export function announce (kernel: Kernel, say: (line: string) => void): void {
  const { apiPort, version, config: { api }, printers: { names } } = kernel
  const at = baseAddress(kernel)
  const note = portNote(kernel)
  say(`prnd ${version}, printer: ${names.join(', ') || 'none'}`)
  if (note !== undefined) say(note)
  say(`  Page       ${at}/`)
  say(`  API        ${at}/api`)
  say(`  Docs       ${at}/api/docs`)
  say(`  Socket.IO  ${at}`)
  if (!isLocal(api.host)) say(`  HTTPS      ${at}/encryption says how other devices use it`)
  if (api.token !== undefined) say(`  Login      ${at}/login, with the token of the configuration`)
  if (api.token === undefined && !isLocal(api.host)) {
    say(`Anyone who reaches ${api.host}:${apiPort} can control the printer: leave out --host, or set PRN_API_TOKEN.`)
  }
}
