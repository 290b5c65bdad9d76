import { Type, type Static } from 'typebox'
import { BadConfig, SecretReference } from '../../core/index.js'
import { loginOf as brokerLogin, type Login } from '../broker/index.js'

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

const WHERE = 'plugins.homeassistant'
export const LEAST_SECONDS = 60

export const isTooOften = (imageSeconds: number): boolean => imageSeconds > 0 && imageSeconds < LEAST_SECONDS

/**
 * @throws PRN_ERR_CONFIG for an invalid address, a missing password or certificate file, or too frequent pictures
 */
export async function loginOf ({ broker = '', password, ca, imageSeconds }: Options): Promise<Login> {
  if (isTooOften(imageSeconds)) throw new BadConfig(`${WHERE}.imageSeconds must be 0, or ${LEAST_SECONDS} at least`)
  return await brokerLogin({ address: broker, password, ca }, WHERE, 'broker')
}
