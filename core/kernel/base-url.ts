import type { Kernel } from './types.js'

/** Used in addresses while the API is not bound to a port. */
const USUAL_PORT = 49_152

/**
 * How a caller reaches this service, without a slash at the end: what addresses in answers begin with.
 * @param host as the caller wrote it, with the port; left out: the caller is on this machine
 */
export const baseUrlFor = ({ apiPort, config: { api: { publicUrl } } }: Kernel,
  host = `localhost:${apiPort || USUAL_PORT}`): string => publicUrl?.replace(/\/+$/, '') ?? `http://${host}`
