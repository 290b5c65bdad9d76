import { Type } from 'typebox'
import { BadConfig, readNamedText, Secret } from '../../../core/index.js'
import { fillTemplate, templateProblem } from '../template.js'
import { documentOf } from './document.js'
import { HostFile } from './host-file.js'
import { defineMessageTarget } from './types.js'

const MIB = 1024 * 1024
const CONNECT_MS = 10_000
const NOWHERE = { protocol: '', host: '', username: '' }

/** One level of a topic, with special characters replaced. */
const level = (text: string): string => text.replaceAll(/[/+#\p{Cc}]/gu, '-')

/** Connects for each message, since there are few. */
export const mqtt = defineMessageTarget({
  type: 'mqtt',
  options: Type.Object({
    broker: Type.String({ pattern: '^mqtts?://', description: 'Address, such as `mqtt://192.168.1.5:1883`' }),
    username: Type.Optional(Type.String({ minLength: 1 })),
    password: Type.Optional(Secret('Password of the user')),
    ca: Type.Optional(HostFile('PEM file with the CA certificates')),
    topic: Type.String({
      pattern: '^[^+#]+$', default: 'prnd/messages/{{printer}}', description: 'May contain `{{printer}}` and `{{alert}}`'
    })
  }),
  takes: { picture: MIB },
  async create ({ broker, username, password, ca, topic }, { secret, where }) {
    const problem = templateProblem(topic)
    if (problem !== undefined) throw new BadConfig(`${where}.topic: ${problem}`)
    const { protocol, host, username: inside } = URL.canParse(broker) ? new URL(broker) : NOWHERE
    if (host === '' || inside !== '') throw new BadConfig(`${where}.broker must be an address without a login`)
    const options = {
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password: await secret(password, 'password') }),
      ...(ca !== undefined && {
        ca: await readNamedText(ca).catch((error: Error) => { throw new BadConfig(`${where}.ca: ${error.message}`) })
      }),
      connectTimeout: CONNECT_MS,
      reconnectPeriod: 0,
      writeCache: false // the cache is shared by the whole process
    }
    return async (message, signal) => {
      const { connectAsync } = await import('mqtt')
      const client = await connectAsync(`${protocol}//${host}`, options, false)
      const end = () => client.end(true)
      signal.addEventListener('abort', end, { once: true })
      try {
        signal.throwIfAborted()
        const to = fillTemplate(topic, { ...message, printer: level(message.printer), alert: level(message.alert) })
        await client.publishAsync(to, JSON.stringify(documentOf(message)), { qos: 1 })
      } finally {
        signal.removeEventListener('abort', end)
        client.end(true)
      }
    }
  }
})
