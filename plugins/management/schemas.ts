import { Type } from 'typebox'

export const Name = Type.String()
export const Named = Type.Object({ name: Name })
export const Host = Type.String()
export const Serial = Type.String()
export const AccessCode = Type.String()
const port = (usual: string) => Type.Integer({ minimum: 1, maximum: 65_535, description: `If not ${usual}` })
/** Ports of a printer's other services, as named in tools. */
export const OTHER_PORTS = {
  ftps_port: Type.Optional(port('990')),
  camera_port: Type.Optional(port('6000')),
  rtsps_port: Type.Optional(port('322'))
}
export const MqttPort = Type.Integer({ minimum: 1, maximum: 65_535, description: 'If not 8883' })

export const Printer = Type.Object({ name: Type.String() })

export const Found = Type.Object({
  name: Type.String({ description: 'As set on the printer' }),
  ip: Type.String(),
  serial: Type.String(),
  model: Type.String({ description: 'Model code as announced' }),
  model_decoded: Type.String(),
  bind_state: Type.String({ description: 'free, or occupied by an account' }),
  connect_state: Type.String({ description: 'lan or cloud' }),
  firmware_version: Type.String(),
  other_ips: Type.Optional(Type.Array(Type.String(), {
    description: 'Other addresses that say they are this printer, as a relay or an impostor does: compare with its screen'
  }))
})

export const Discovery = Type.Object({
  discovered: Type.Array(Found),
  count: Type.Integer(),
  note: Type.String({ description: 'What to do next' })
})
