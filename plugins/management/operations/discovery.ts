import { Type } from 'typebox'
import { operation } from '../../../core/index.js'
import { discover } from '../discovery.js'
import { DiscoveryFailed } from '../errors.js'
import { Discovery } from '../schemas.js'

export const LISTEN_FOR_S = 15
const LONGEST_S = 120

const NOTE = 'The access code is not announced: read it on the printer, in its network settings, and add the printer ' +
  'with it. Announcements do not cross subnets; a printer that is not listed can be added by its address.'

export const discoverPrinters = operation({
  name: 'management.discoverPrinters',
  summary: 'Listen for printers that announce themselves',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({
    seconds: Type.Integer({ minimum: 1, maximum: LONGEST_S, description: 'How long to listen' })
  }),
  output: Discovery,
  errors: [DiscoveryFailed],
  async run ({ services, signal, progress }, { seconds }) {
    const discovered = await discover(seconds * 1000, {
      signal,
      ports: services.management.discoveryPorts,
      onFound: ({ name, model_decoded: model, ip }, count) => progress(count, undefined, `${name || model} at ${ip}`)
    })
    return { discovered: discovered.map(found => ({ ...found })), count: discovered.length, note: NOTE }
  }
})
