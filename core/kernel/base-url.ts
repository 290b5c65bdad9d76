import type { Kernel } from './types.js'

/** Used in URLs while the API is not bound to a port. */
const USUAL_PORT = 49_152

/**
 * The base URL of this service as the caller sees it, without a trailing slash.
 * @param host as the caller wrote it, with the port, and `https://` before it if the caller used that; omitted for a caller
 * on this machine
 */
export const baseUrlFor = ({ apiPort, config: { api: { publicUrl } } }: Kernel,
  host = `localhost:${apiPort || USUAL_PORT}`): string => publicUrl?.replace(/\/+$/, '') ?? (host.startsWith('https://') ? host : `http://${host}`)
