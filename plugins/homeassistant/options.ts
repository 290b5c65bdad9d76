import { Type, type Static } from 'typebox'
import { BadConfig, readSecret, SecretReference, readNamedText } from '../../core/index.js'

/** One or more levels without wildcards. */
export const Prefix = (initial: string, description: string) =>
  Type.String({ pattern: '^[^/+#$\\s][^+#\\s]*[^/+#\\s]$|^[^/+#$\\s]$', default: initial, description })

export const Options = Type.Object({
  broker: Type.Optional(Type.String({
    pattern: '^mqtts?://',
    description: 'Address, such as `mqtt://user:password@192.168.1.5:1883` or `mqtts://…`; without it, the one that was set up in the browser is used'
  })),
  password: Type.Optional(SecretReference),
  ca: Type.Optional(Type.String({
    minLength: 1, description: 'File with the authorities that signed the broker\'s certificate, PEM'
  })),
  discoveryPrefix: Prefix('homeassistant', 'Where Home Assistant looks for devices'),
  topicPrefix: Prefix('prnd', 'Begins every other topic; each service at one broker needs its own'),
  readOnly: Type.Boolean({ default: false, description: 'Announce only what can be read, and take no commands' }),
  imageOnAlert: Type.Boolean({
    default: false,
    description: 'Send a picture of the camera when a job begins, pauses or ends, and with an error'
  }),
  imageSeconds: Type.Integer({
    default: 0, minimum: 0, description: 'Send one this often while printing, 60 at least; 0 for never'
  })
})
export type Options = Static<typeof Options>

/** Address of the broker and credentials. */
export interface Login {
  readonly url: string
  readonly username?: string
  readonly password?: string
  /** Authorities, PEM. */
  readonly ca?: string
}

const WHERE = 'plugins.homeassistant'
export const LEAST_SECONDS = 60

export const isTooOften = (imageSeconds: number): boolean => imageSeconds > 0 && imageSeconds < LEAST_SECONDS

/**
 * @throws PRN_ERR_CONFIG for an invalid address, a missing password or certificate file, or too frequent pictures
 */
export async function loginOf ({ broker = '', password: reference, ca, imageSeconds }: Options): Promise<Login> {
  if (isTooOften(imageSeconds)) throw new BadConfig(`${WHERE}.imageSeconds must be 0, or ${LEAST_SECONDS} at least`)
  const { protocol, host, username, password: given } = addressOf(broker)
  const password = reference === undefined ? given : await readSecret(reference, `${WHERE}.password`)
  return {
    url: `${protocol}//${host}`,
    ...(username !== '' && { username }),
    ...(password !== '' && { password }),
    ...(ca !== undefined && { ca: await readAuthorities(ca) })
  }
}

/** Replaces the errors of parser and decoder, which would repeat the password. */
function addressOf (broker: string): Pick<URL, 'protocol' | 'host' | 'username' | 'password'> {
  try {
    const { protocol, host, username, password } = new URL(broker)
    if (host !== '') {
      return { protocol, host, username: decodeURIComponent(username), password: decodeURIComponent(password) }
    }
  } catch {}
  throw new BadConfig(`${WHERE}.broker is no address; special characters of a password are written as %XX`)
}

const readAuthorities = async (file: string): Promise<string> =>
  await readNamedText(file).catch((error: Error) => {
    throw new BadConfig(`${WHERE}.ca: ${error.message}`)
  })
