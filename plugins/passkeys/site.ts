import { isIP } from 'node:net'

/** The place of a page, as browsers bind passkeys to it. */
export interface Site {
  /** The host name, which is the relying party. */
  readonly host: string
  readonly origin: string
}

/** @returns undefined where browsers allow no passkeys: without encryption, or at an IP address */
export function siteOf (address: string): Site | undefined {
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname: host, origin } = new URL(address)
  const isLocal = host === 'localhost' || host.endsWith('.localhost')
  const isName = host !== '' && !host.startsWith('[') && isIP(host) === 0
  return isName && (protocol === 'https:' || isLocal) ? { host, origin } : undefined
}
