import { BadConfig, readNamedText, readSecret, type SecretReference } from '../../core/index.js'

/** Address of a broker and credentials. */
export interface Login {
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Authorities, PEM. */
  readonly ca?: string
}

/** A broker as the configuration file says it. */
export interface BrokerAddress {
  /** Such as `mqtt://user:password@192.168.1.5:1883`. */
  readonly address: string
  readonly password?: SecretReference | undefined
  /** File with authorities, PEM. */
  readonly ca?: string | undefined
}

/**
 * @param where the options, for errors @param addressOption which of them is the address
 * @throws PRN_ERR_CONFIG for an invalid address, a missing password or certificate file
 */
export async function loginOf ({ address, password: reference, ca }: BrokerAddress, where: string,
  addressOption: string): Promise<Login> {
  const { protocol, host, username, password: given } = partsOf(address, `${where}.${addressOption}`)
  const password = reference === undefined ? given : await readSecret(reference, `${where}.password`)
  return {
    url: `${protocol}//${host}`,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(ca !== undefined && { ca: await readAuthorities(ca, where) })
  }
}

/** Replaces the errors of parser and decoder, which would repeat the password. */
function partsOf (address: string, where: string): Pick<URL, 'protocol' | 'host' | 'username' | 'password'> {
  try {
    const { protocol, host, username, password } = new URL(address)
    if (host !== '') {
      return { protocol, host, username: decodeURIComponent(username), password: decodeURIComponent(password) }
    }
  } catch {}
  throw new BadConfig(`${where} is no address; special characters of a password are written as %XX`)
}

const readAuthorities = async (file: string, where: string): Promise<string> =>
  await readNamedText(file).catch((error: Error) => {
    throw new BadConfig(`${where}.ca: ${error.message}`)
  })
