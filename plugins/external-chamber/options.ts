import { readFile } from 'node:fs/promises'
import { Type, type Static } from 'typebox'
import { BadConfig, environment } from '../../core/index.js'

const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const Reference = Type.Union([
  Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false })
], { title: '{ "env": NAME } or { "file": PATH }', description: 'At the broker: a variable or a file that holds it' })

export const Options = Type.Object({
  url: Text('Broker, such as mqtt://192.168.1.5:1883 or mqtts://…; without it nothing happens'),
  username: Text('At the broker'),
  password: Type.Optional(Reference),
  printer: Text('Name of the printer in the chamber; by default the one that is controlled'),
  temperatureTopic: Text('Where the chamber temperature comes from, °C'),
  targetTopic: Text('Where the target goes, °C'),
  requestedStateTopic: Text('Where it goes whether the heater shall be on'),
  currentStateTopic: Text('Where the heater tells whether it is on'),
  onValue: Type.String({ default: 'ON', minLength: 1, description: 'What means on' }),
  offValue: Type.String({ default: 'OFF', minLength: 1, description: 'What means off' })
})
export type Options = Static<typeof Options>

/** @throws PRN_ERR_CONFIG for a password that is not where it is said to be */
export async function passwordOf ({ password }: Options): Promise<string | undefined> {
  if (password === undefined) return undefined
  const where = 'plugins.external-chamber.password'
  if ('env' in password) {
    const text = environment()[password.env]
    if (text === undefined) throw new BadConfig(`${where}: the environment variable ${password.env} is not set`)
    return text
  }
  const text = await readFile(password.file, 'utf8').catch((error: Error) => {
    throw new BadConfig(`${where}: ${error.message}`)
  })
  return text.trim()
}
