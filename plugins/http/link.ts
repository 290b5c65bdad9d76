import type { Kernel, Route } from '../../core/index.js'
import { API_PREFIX } from './mount.js'

/** Makes the address of a route, so that no address is ever typed. */
export type RouteUrl = (route: Pick<Route, 'path'>, query?: Readonly<Record<string, string | number | boolean>>) => string

/** Used in addresses while the API is not bound to a port. */
const USUAL_PORT = 49152

export const createRouteUrl = (kernel: Kernel): RouteUrl => ({ path }, query = {}) => {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  const base = `http://localhost:${kernel.apiPort || USUAL_PORT}${API_PREFIX}${path}`
  return pairs.length === 0 ? base : `${base}?${pairs.join('&')}`
}
