import { Type, type Static } from 'typebox'
import { readSecret, SecretReference } from '../../core/index.js'

const Text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
export const Options = Type.Object({
  url: Text('Broker, such as mqtt://192.168.1.5:1883 or mqtts://…; without it nothing happens'),
  username: Text('At the broker'),
  password: Type.Optional(SecretReference),
  printer: Text('Name of the printer in the chamber; by default the one that is controlled'),
  temperatureTopic: Text('Where the chamber temperature comes from, °C'),
  targetTopic: Text('Where the target goes, °C'),
  requestedStateTopic: Text('Where it goes whether the heater shall be on'),
  currentStateTopic: Text('Where the heater tells whether it is on'),
  onValue: Type.String({ default: 'ON', minLength: 1, description: 'What means on' }),
  offValue: Type.String({ default: 'OFF', minLength: 1, description: 'What means off' })
})
export type Options = Static<typeof Options>

/** @throws PRN_ERR_CONFIG if the password is not in its configured place */
export async function passwordOf ({ password }: Options): Promise<string | undefined> {
  return password && await readSecret(password, 'plugins.external-chamber.password')
}
