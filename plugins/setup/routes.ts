import { Type } from 'typebox'
import { route } from '../../core/index.js'
import {
  addPrinter, detectAtAddress, discoverPrinters, importPrinters, listConfigured, removePrinter, renameConfigured,
  testPrinter, tryPrinter, updateCredentials
} from '../management/index.js'
import { changeReach, readReach } from './operations.js'

const tag = 'Setup'
/** A page calls it several times, so that printers appear as they are found. */
const LISTEN_FOR_S = 4
const LONGEST_S = 15

const Port = Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 }))
const PORTS = { mqtt_port: Port, ftps_port: Port, camera_port: Port, rtsps_port: Port }
const Name = Type.String({ description: 'By which this service calls the printer' })
const Host = Type.String({ description: 'Address or host name' })
const Code = Type.String({ description: 'From the screen of the printer' })
const Candidate = { name: Name, host: Host, serial: Type.String(), access_code: Code, ...PORTS }
const Offline = Type.Optional(Type.Boolean({ description: 'Store it even if it cannot be reached now', default: false }))

interface PortParams {
  readonly mqtt_port?: number, readonly ftps_port?: number, readonly camera_port?: number, readonly rtsps_port?: number
}

const isGiven = ([, port]: readonly [string, number | undefined]) => port !== undefined

function portsOf ({ mqtt_port: mqttPort, ftps_port: ftps, camera_port: camera, rtsps_port: rtsps }: PortParams) {
  const ports = Object.fromEntries(Object.entries({ ftps, camera, rtsps }).filter(isGiven)) as
    Partial<Record<'ftps' | 'camera' | 'rtsps', number>>
  return { ...(mqttPort !== undefined && { mqttPort }), ...(Object.keys(ports).length > 0 && { ports }) }
}

/** The operations of the tools, as a page needs them: adding replaces nothing, and failures name their field. */
export const routes = [
  route(listConfigured, { method: 'GET', path: '/setup/printers', tag }),
  route(addPrinter, {
    method: 'POST',
    path: '/setup/printers',
    tag,
    summary: 'Try a new printer out, store it and connect',
    params: Type.Object({ ...Candidate, offline: Offline }),
    input: ({ name, host, serial, access_code: accessCode, offline = false, ...ports }) =>
      ({ name, host, serial, accessCode, ...portsOf(ports), onlyNew: true, onlyReachable: !offline })
  }),
  route(updateCredentials, {
    method: 'PATCH',
    path: '/setup/printers',
    tag,
    params: Type.Object({
      name: Name, host: Type.Optional(Host), access_code: Type.Optional(Code), ...PORTS, offline: Offline
    }),
    input: ({ name, host, access_code: accessCode, offline = false, ...ports }) => ({
      name,
      ...(host !== undefined && { host }),
      ...(accessCode !== undefined && { accessCode }),
      ...portsOf(ports),
      onlyReachable: !offline
    })
  }),
  route(removePrinter, { method: 'DELETE', path: '/setup/printers', tag }),
  route(tryPrinter, {
    method: 'POST',
    path: '/setup/printers/try',
    tag,
    params: Type.Object(Candidate),
    input: ({ name, host, serial, access_code: accessCode, ...ports }) =>
      ({ name, host, serial, accessCode, ...portsOf(ports) })
  }),
  route(testPrinter, { method: 'POST', path: '/setup/printers/test', tag }),
  route(renameConfigured, {
    method: 'POST',
    path: '/setup/printers/rename',
    tag,
    params: Type.Object({ name: Name, new_name: Type.String() }),
    input: ({ name, new_name: newName }) => ({ name, newName })
  }),
  route(importPrinters, { method: 'POST', path: '/setup/printers/import', tag }),
  // Not GET, so that another web page cannot make the service search.
  route(discoverPrinters, {
    method: 'POST',
    path: '/setup/printers/discover',
    tag,
    params: Type.Object({
      seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_S, default: LISTEN_FOR_S }))
    }),
    input: ({ seconds = LISTEN_FOR_S }) => ({ seconds })
  }),
  // not GET, so that another web page cannot make the service connect
  route(detectAtAddress, { method: 'POST', path: '/setup/printers/detect', tag }),
  route(readReach, { method: 'GET', path: '/setup/access', tag }),
  route(changeReach, { method: 'PATCH', path: '/setup/access', tag })
]
