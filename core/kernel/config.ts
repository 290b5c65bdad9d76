import { Type, type Static } from 'typebox'
import { BadConfig } from '../errors.js'
import { freeze } from '../util/freeze.js'
import { POOL_END, POOL_START } from './ports.js'
import type { Environment } from '../util/environment.js'
import { validationError } from '../util/validate.js'

export { environment, type Environment } from '../util/environment.js'

const Port = (description: string) => Type.Integer({ minimum: 1, maximum: 65_535, description })

const AccessCode = Type.Union([
  Type.String({ minLength: 1, description: 'The code itself; moved into the secrets file at the first start' }),
  Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false })
], {
  title: 'a text in quotes, { "env": NAME } or { "file": PATH }',
  description: 'The access code: here, in an environment variable or a file; default: in the secrets file',
  secret: true
})

export const PrinterSchema = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64, description: 'Its name; unique, ignoring case' }),
  host: Type.String({ minLength: 1, description: 'Address or host name' }),
  serial: Type.String({ minLength: 1, maxLength: 32, description: '15 characters, as the printer shows it' }),
  accessCode: Type.Optional(AccessCode),
  model: Type.Optional(Type.String({ description: 'If the serial number does not identify it, e.g. X1C' })),
  ports: Type.Optional(Type.Object({
    mqtt: Type.Optional(Port('Reports and commands')),
    ftps: Type.Optional(Port('SD card')),
    camera: Type.Optional(Port('JPEG camera')),
    rtsps: Type.Optional(Port('RTSPS camera'))
  }, { additionalProperties: false })),
  tls: Type.Optional(Type.Object({
    mode: Type.Optional(Type.Enum(['ca', 'pin', 'insecure'], {
      description: 'Verification of its certificate: signed by the authorities, the one of the first connection, or none; ' +
        'default: `ca` if `ca` names a file, else `pin`'
    })),
    ca: Type.Optional(Type.String({ description: 'File with the authorities, PEM' })),
    fingerprint: Type.Optional(Type.String({ description: 'SHA-256 of the certificate, to pin in place of the first one seen' }))
  }, { additionalProperties: false }))
}, { additionalProperties: false })
export type PrinterEntry = Static<typeof PrinterSchema>

export const ConfigSchema = Type.Object({
  $schema: Type.Optional(Type.String({ description: 'For editors: the schema that `prnd config schema` prints' })),
  version: Type.Optional(Type.Literal(1, { description: 'Version of the file format' })),
  printers: Type.Array(PrinterSchema, { default: [] }),
  defaultPrinter: Type.Optional(Type.String({
    minLength: 1, description: 'Printer of requests without a name; default: the first with a session'
  })),
  ports: Type.Object({
    preferred: Type.Optional(Port('Tried first, also outside the pool')),
    strict: Type.Optional(Type.Boolean({
      description: 'Do not start when the preferred port is taken, rather than take one of the pool; ' +
        'left out: so where a service manager or a container starts it'
    })),
    start: Type.Integer({ minimum: 1, maximum: 65_535, default: POOL_START, description: 'First port of the pool for API and streams' }),
    end: Type.Integer({ minimum: 1, maximum: 65_535, default: POOL_END, description: 'Last port of the pool' })
  }, { additionalProperties: false, default: {} }),
  plugins: Type.Record(Type.String(),
    Type.Union([Type.Object({}), Type.Literal(false)], { title: 'an object with its options, or false' }),
    { default: {}, description: 'By name: options of a plugin, or `false` to leave it out; further plugins are named here' }),
  api: Type.Object({
    host: Type.String({ default: '0.0.0.0', description: 'Address to listen on' }),
    token: Type.Optional(Type.String({ minLength: 8, description: 'If set, every request needs it', secret: true })),
    allowedHosts: Type.Array(Type.String(), { default: [], description: 'Additional names accepted in the Host header' }),
    corsOrigins: Type.Array(Type.String(), { default: [], description: 'Origins of other sites that may send requests' }),
    publicUrl: Type.Optional(Type.String({
      description: 'Base URL of addresses in answers, such as `https://printers.example.org`; ' +
        'default: the host that the caller used'
    })),
    trustProxy: Type.Array(Type.String({ minLength: 1 }), {
      default: [],
      description: 'Addresses or networks of reverse proxies, such as `127.0.0.1` or `10.0.0.0/8`; ' +
        'what they say in `X-Forwarded-For` of the client is believed'
    }),
    trustLan: Type.Boolean({
      default: false,
      description: 'Without a token: gives everyone on the network the access of this machine ' +
        '(files of the host, printers and their codes, logs, raw commands)'
    })
  }, { additionalProperties: false, default: {} }),
  log: Type.Object({
    file: Type.Optional(Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], {
      title: 'a path, or false', description: 'The log file, or `false` for none; default: `prnd.log` in the data folder'
    }))
  }, { additionalProperties: false, default: {} }),
  dataDir: Type.Optional(Type.String({
    minLength: 1, description: 'Folder for preferences, certificates, secrets, log; default: the platform\'s'
  })),
  ffmpeg: Type.Optional(Type.String({ minLength: 1, description: 'Path of ffmpeg, for RTSPS cameras' }))
}, { additionalProperties: false })

/** The whole configuration, validated, with defaults, frozen. Secrets may still be references. */
export type Config = Static<typeof ConfigSchema>

const TEXT_SETTINGS: Readonly<Record<string, string>> = {
  PRN_API_HOST: 'api.host',
  PRN_API_TOKEN: 'api.token',
  PRN_API_PRINTER: 'defaultPrinter',
  PRN_DATA_DIR: 'dataDir',
  PRN_FFMPEG: 'ffmpeg'
}
const LIST_SETTINGS: Readonly<Record<string, string>> = {
  PRN_ALLOWED_HOSTS: 'api.allowedHosts',
  PRN_CORS_ORIGINS: 'api.corsOrigins'
}

/** The configuration key of each environment variable, which overrides the file. */
export const VARIABLES: Readonly<Record<string, string>> = {
  ...TEXT_SETTINGS,
  ...LIST_SETTINGS,
  PRN_API_PORT: 'ports.preferred',
  PRN_PORT_STRICT: 'ports.strict',
  PRN_PORT_POOL_START: 'ports.start',
  PRN_PORT_POOL_END: 'ports.end'
}

type Tree = Record<string, unknown>

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** @param path one or two keys */
function put (tree: Tree, path: string, value: unknown): void {
  const [group = '', key] = path.split('.')
  if (key === undefined) {
    tree[group] = value
    return
  }
  const node = tree[group] ??= {}
  if (isTree(node)) node[key] = value // other types are rejected by the validation
}

function portOf (text: string | undefined): number | undefined {
  const port = Number(text)
  return text !== undefined && /^\d{1,5}$/.test(text.trim()) && port >= 1 && port <= 65_535 ? port : undefined
}

const SWITCH: Readonly<Record<string, boolean>> = { 1: true, true: true, 0: false, false: false }

/** Ports from the environment: an invalid value is ignored with a warning, as it may come from a stale shell. */
function overlayPorts (tree: Tree, env: Environment, warn: (message: string) => void): void {
  if (env.PRN_API_PORT !== undefined) {
    const port = portOf(env.PRN_API_PORT)
    if (port === undefined) warn(`PRN_API_PORT='${env.PRN_API_PORT}' is no port from 1 to 65535; it is ignored`)
    else put(tree, 'ports.preferred', port)
  }
  if (env.PRN_PORT_STRICT !== undefined) {
    const strict = SWITCH[env.PRN_PORT_STRICT.trim().toLowerCase()]
    if (strict === undefined) warn(`PRN_PORT_STRICT='${env.PRN_PORT_STRICT}' is neither 0 nor 1; it is ignored`)
    else put(tree, 'ports.strict', strict)
  }
  const { PRN_PORT_POOL_START: first, PRN_PORT_POOL_END: last } = env
  if (first === undefined && last === undefined) return
  const ports = tree.ports as { start?: number, end?: number } | undefined
  const start = first === undefined ? ports?.start ?? POOL_START : portOf(first)
  const end = last === undefined ? ports?.end ?? POOL_END : portOf(last)
  if (start === undefined || end === undefined || end < start) {
    warn(`PRN_PORT_POOL_START='${first ?? ''}' and PRN_PORT_POOL_END='${last ?? ''}' are no range of ports; ` +
      `the default ${POOL_START} to ${POOL_END} is used`)
    put(tree, 'ports.start', POOL_START)
    put(tree, 'ports.end', POOL_END)
    return
  }
  put(tree, 'ports.start', start)
  put(tree, 'ports.end', end)
}

/** Notes if an invalid value comes from the environment, where users would not expect it. */
function originOf (problem: string, env: Environment): string {
  const settings = Object.entries({ ...TEXT_SETTINGS, ...LIST_SETTINGS })
  const [variable] = settings.find(([name, path]) => given(env)[name] !== undefined && problem.startsWith(path)) ?? []
  return variable === undefined ? '' : ` (it comes from ${variable})`
}

/** Empty variables count as unset: service managers set them so. */
const given = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''))

function overlay (file: unknown, environment: Environment, warn: (message: string) => void): unknown {
  if (!isTree(file)) return file
  const tree = structuredClone(file)
  const env = given(environment)
  for (const [name, path] of Object.entries(TEXT_SETTINGS)) {
    if (env[name] !== undefined) put(tree, path, env[name])
  }
  for (const [name, path] of Object.entries(LIST_SETTINGS)) {
    const items = env[name]?.split(',').map(item => item.trim()).filter(item => item !== '')
    if (items !== undefined) put(tree, path, items)
  }
  overlayPorts(tree, env, warn)
  return tree
}

const SAMPLE_URL = 'https://printers.example.org'
const BASE_URL = /^https?:\/\/([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?\/?$/i

/**
 * Validates a configuration and applies the environment to it.
 * @param file the parsed file
 * @param warn called for ignored settings in the environment
 * @throws PRN_ERR_CONFIG with the key's path, the expected value, and the nearest valid key
 */
export function loadConfig (file: unknown, env: Environment = {}, warn: (message: string) => void = () => {}): Config {
  const tree = overlay(file ?? {}, env, warn)
  const problem = validationError(ConfigSchema, tree)
  if (problem !== undefined) throw new BadConfig(problem + originOf(problem, env))
  const config = tree as Config
  if (config.ports.end < config.ports.start) throw new BadConfig('ports.end must not be below ports.start')
  if (!BASE_URL.test(config.api.publicUrl ?? SAMPLE_URL)) {
    throw new BadConfig(`api.publicUrl must be an address such as ${SAMPLE_URL}, without a path`)
  }
  checkNames(config.printers)
  return freeze(config)
}

// eslint-disable-next-line no-control-regex
const FORBIDDEN_IN_NAMES = /[\u0000-\u001F\u007F/\\:?#]/

/** @returns why a printer cannot have this name, or undefined */
export function nameProblem (name: string): string | undefined {
  if (name !== name.trim()) return 'must not begin or end with a space'
  if (name.length < 1 || name.length > 64) return 'must have 1 to 64 characters'
  return FORBIDDEN_IN_NAMES.test(name) ? 'must not contain control characters or / \\ : ? #' : undefined
}

function checkNames (printers: readonly PrinterEntry[]): void {
  const seen = new Map<string, number>()
  for (const [at, { name }] of printers.entries()) {
    const problem = nameProblem(name)
    if (problem !== undefined) throw new BadConfig(`printers[${at}].name ${problem}`)
    const first = seen.get(name.toLowerCase())
    if (first !== undefined) throw new BadConfig(`printers[${at}].name '${name}' is taken by printers[${first}]`)
    seen.set(name.toLowerCase(), at)
  }
}

/** Key of a printer in the secrets file, independent of how its serial number was typed. */
export const secretKey = (serial: string): string => serial.trim().toUpperCase()
