import type { Kernel } from '../core/index.js'

const EVERYWHERE = new Set(['0.0.0.0', '::', ''])
const LOOPBACK = new Set(['127.0.0.1', 'localhost'])

/** The address of the service for a browser on this machine. */
export function baseAddress ({ apiPort, config: { api: { host } } }: Kernel): string {
  const name = EVERYWHERE.has(host) || LOOPBACK.has(host) ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${apiPort}`
}

/** The notice if the port is not the expected one. */
export function portNote ({ apiPort, config: { ports: { preferred, start } } }: Kernel): string | undefined {
  const wanted = preferred ?? start
  return apiPort === wanted ? undefined : `Port ${wanted} is taken: port ${apiPort} is used instead.`
}
