import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import { addPrinter, updateCredentials } from './operations/credentials.js'
import { discoverPrinters, LISTEN_FOR_S } from './operations/discovery.js'
import { disconnectPrinter, removePrinter, startPrinter } from './operations/sessions.js'
import { AccessCode, Host, MqttPort, Name, Named, OTHER_PORTS, Serial } from './schemas.js'

interface PortParams {
  readonly mqtt_port?: number
  readonly ftps_port?: number
  readonly camera_port?: number
  readonly rtsps_port?: number
}

function portsFrom ({ mqtt_port: mqttPort, ftps_port: ftps, camera_port: camera, rtsps_port: rtsps }: PortParams) {
  const ports = {
    ...(ftps !== undefined && { ftps }), ...(camera !== undefined && { camera }), ...(rtsps !== undefined && { rtsps })
  }
  return { ...(mqttPort !== undefined && { mqttPort }), ...(Object.keys(ports).length > 0 && { ports }) }
}

export default [
  tool(addPrinter, {
    name: 'add_printer',
    returns: 'text',
    idempotent: false,
    doing: 'saving credentials for <name>',
    params: Type.Object({
      name: Name,
      ip: Host,
      serial: Serial,
      access_code: AccessCode,
      mqtt_port: Type.Optional(MqttPort),
      ...OTHER_PORTS
    }),
    input: ({ name, ip: host, serial, access_code: accessCode, ...ports }) =>
      ({ name, host, serial, accessCode, ...portsFrom(ports) }),
    result: ({ name }) => `Printer '${name}' added and session started.`
  }),
  tool(disconnectPrinter, {
    name: 'disconnect_printer',
    returns: 'text',
    result: ({ name }) =>
      `Printer '${name}' disconnected. Configuration retained; use start_printer('${name}') to reconnect.`
  }),
  tool(discoverPrinters, {
    name: 'discover_printers',
    closedWorld: false,
    params: Type.Object({
      timeout_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: 120, default: LISTEN_FOR_S }))
    }),
    input: ({ timeout_seconds: seconds = LISTEN_FOR_S }) => ({ seconds })
  }),
  tool(removePrinter, {
    name: 'remove_printer',
    returns: 'text',
    params: Named,
    input: ({ name }) => ({ name }),
    result: ({ name }) => `Printer '${name}' removed and credentials deleted.`
  }),
  tool(startPrinter, {
    name: 'start_printer',
    returns: 'text',
    idempotent: false,
    doing: 'starting session for <name>',
    params: Named,
    input: ({ name }) => ({ name }),
    result: ({ name, done }) => `Printer '${name}' session ${done}.`
  }),
  tool(updateCredentials, {
    name: 'update_printer_credentials',
    returns: 'text',
    idempotent: false,
    doing: 'updating credentials for <name>',
    params: Type.Object({
      name: Name,
      ip: Type.Optional(Host),
      serial: Type.Optional(Serial),
      access_code: Type.Optional(AccessCode),
      mqtt_port: Type.Optional(MqttPort),
      ...OTHER_PORTS
    }),
    input: ({ name, ip: host, serial, access_code: accessCode, ...ports }) => ({
      name,
      ...(host !== undefined && { host }),
      ...(serial !== undefined && { serial }),
      ...(accessCode !== undefined && { accessCode }),
      ...portsFrom(ports)
    }),
    result: ({ name }) => `Credentials updated and session restarted for '${name}'.`
  })
]
