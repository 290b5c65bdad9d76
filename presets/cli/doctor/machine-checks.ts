import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { defaultDataDir, wordsOfFailure, type Config, type OutsideConnection } from '../../../core/index.js'
import { createDecoderFinder, decoderFolder } from '../../../plugins/camera/index.js'
import { probeDatabase } from '../../../plugins/database/index.js'
import { probeBroker } from '../../../plugins/homeassistant/index.js'
import { describeFleetKeys, probeFleet } from '../../../plugins/fleet/index.js'
import { findBambuStudio, findOrcaSlicer, findPrusaSlicer, remoteSlicers } from '../../../plugins/slicing/index.js'
import type { Service } from '../service.js'
import { failed, ok, skipped, warning, type Check } from './report.js'

const LEAST_FREE_MB = 200
const BYTES_PER_MB = 1024 * 1024
/** The API and the streams of a few printers. */
const PORTS_CHECKED = 8

/** The folder itself, or its nearest existing parent. */
async function existing (path: string): Promise<string> {
  const found = await stat(path).then(() => true, () => false)
  return found || dirname(path) === path ? path : await existing(dirname(path))
}

export async function checkDataFolder (folder: string): Promise<Check> {
  const name = 'data folder'
  const place = await existing(folder)
  try {
    await access(place, constants.W_OK | constants.X_OK)
    const { bavail, bsize } = await statfs(place)
    const freeMb = Math.floor(bavail * bsize / BYTES_PER_MB)
    if (freeMb >= LEAST_FREE_MB) return ok(name, `${folder}, ${freeMb} MB free`)
    return warning(name, `${folder} has only ${freeMb} MB left`, 'Free some space, or set PRN_DATA_DIR to a place with more.')
  } catch (error) {
    return failed(name, `${folder} cannot be written: ${(error as Error).message}`,
      'Make it writable for the user that runs the service, or set PRN_DATA_DIR.')
  }
}

const bindable = (port: number, host: string): Promise<string | undefined> => new Promise(resolve => {
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)))
})

const NO_SUCH_HOST = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EINVAL', 'EAI_AGAIN'])

/** @param running port of a running service with the same configuration */
export async function checkPorts ({ api: { host }, ports }: Config, running: number | undefined): Promise<Check> {
  const name = 'ports'
  if (running !== undefined) return ok(name, `a service with this configuration runs on port ${running}`)
  const { preferred, start, end } = ports
  const wanted = preferred === undefined ? undefined : await bindable(preferred, host)
  const last = Math.min(end, start + PORTS_CHECKED - 1)
  const pool = await Promise.all(Array.from({ length: last - start + 1 }, (_, at) => bindable(start + at, host)))
  if (pool.some(problem => NO_SUCH_HOST.has(problem ?? ''))) {
    return failed(name, `api.host '${host}' is not an address of this machine`, 'Correct api.host or PRN_API_HOST.')
  }
  if (preferred !== undefined && wanted !== undefined) {
    return failed(name, `the requested port ${preferred} is in use (${wanted})`, 'Free it, or choose another in ports.preferred or PRN_API_PORT.')
  }
  const free = pool.filter(problem => problem === undefined).length
  if (free > 1) return ok(name, preferred === undefined ? `${start} and others are free` : `${preferred} is free`)
  return failed(name, `only ${free} of the ports ${start} to ${last} are free`,
    'Free some, or widen the pool with PRN_PORT_POOL_START and PRN_PORT_POOL_END.')
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

export function checkAccess ({ api: { host, token } }: Config): Check {
  const name = 'access'
  if (token !== undefined) return ok(name, 'every request needs the token')
  if (LOOPBACK.has(host)) return ok(name, 'this machine only')
  return warning(name, 'anyone who reaches this machine can control the printers',
    'Set PRN_API_HOST=127.0.0.1 or PRN_API_TOKEN, unless that is intended.')
}

/** Empty unless a fleet is configured. */
export async function checkFleet ({ plugins: { fleet }, dataDir = defaultDataDir() }: Pick<Config, 'plugins' | 'dataDir'>):
Promise<Check[]> {
  const name = 'fleet'
  if (fleet === undefined || fleet === false) return []
  try {
    const found = await probeFleet(structuredClone(fleet))
    return found === undefined ? [] : [ok(name, found), ...await checkFleetKeys(fleet, dataDir)]
  } catch (error) {
    return [failed(name, wordsOfFailure(error),
      'Check plugins.fleet: servers, ca, user and password; the guide on fleets says what each is.')]
  }
}

interface Found { readonly connections: readonly (Pick<OutsideConnection, 'name' | 'what' | 'status'> & { problem: string | null })[] }

/** As the running service reports them. The fleet is tested from here. */
export async function checkConnections (service: Pick<Service, 'call'>): Promise<Check[]> {
  try {
    const { connections } = await service.call<Found>('GET', '/api/connections')
    return connections.filter(({ name }) => name !== 'fleet').map(({ name, what, status, problem }) => {
      if (status === 'failed') return failed(name, `${what}: ${problem}`, fixOf(name))
      return status === 'unused' ? skipped(name, `${what} was not used yet`) : ok(name, `${what} is there`)
    })
  } catch (error) {
    return [warning('connections', `the service does not tell of them: ${(error as Error).message}`, 'Restart it with this version.')]
  }
}

/** Tests connections without a service; those that can only be tested by using them are omitted. */
export async function tryConnections ({ plugins }: Pick<Config, 'plugins'>): Promise<Check[]> {
  const probes = [['database', 'the database', probeDatabase], ['homeassistant', 'the broker of Home Assistant', probeBroker]] as const
  const checks = await Promise.all(probes.map(async ([name, what, probe]) => {
    const options = plugins[name]
    try {
      const isThere = options === undefined || options === false ? false : await probe(structuredClone(options))
      return isThere ? [ok(name, `${what} is there`)] : []
    } catch (error) {
      return [failed(name, `${what}: ${wordsOfFailure(error)}`, fixOf(name))]
    }
  }))
  return checks.flat()
}

const fixOf = (name: string) =>
  `Check plugins.${name === 'spoolman' ? 'spools.spoolman' : name === 'openid' ? 'people.openid' : name.replace('.', '.targets.')} in the configuration.`

async function checkFleetKeys (fleet: object, dataDir: string): Promise<Check[]> {
  const name = 'fleet keys'
  try {
    const { detail, problem } = await describeFleetKeys(join(dataDir, 'plugins', 'fleet'), fleet)
    return [problem === undefined ? ok(name, detail) : warning(name, detail, problem)]
  } catch (error) {
    return [failed(name, (error as Error).message, 'Correct that file; the guide on fleets says what each key is for.')]
  }
}

/** Problems that a person must resolve, as the running service reports them: duplicate names, and keys. */
export async function checkFleetProblems (service: Pick<Service, 'call'>): Promise<Check[]> {
  const name = 'fleet problems'
  try {
    const { problems } = await service.call<{ problems: readonly string[] }>('GET', '/api/fleet/nodes')
    return problems.map(problem => warning(name, problem, 'Give each printer a name of its own, and each service the keys that the guide on fleets names.'))
  } catch (error) {
    return [warning(name, `the service does not tell of them: ${(error as Error).message}`, 'Restart it with this version.')]
  }
}

/** @param needed a printer with a video camera is configured */
export async function checkDecoder ({ ffmpeg, dataDir = defaultDataDir() }: Config, needed: boolean): Promise<Check> {
  const name = 'decoder'
  const finder = createDecoderFinder({ configured: ffmpeg, folder: decoderFolder(dataDir) })
  try {
    return ok(name, (await finder.find()).name)
  } catch (error) {
    const { message } = error as Error
    const fix = 'Run prnd decoder install, or install ffmpeg (such as: apt install ffmpeg), or set PRN_FFMPEG to its path.'
    return needed ? failed(name, message, fix) : warning(name, `${message} No configured printer needs one.`, fix)
  } finally {
    await finder.close()
  }
}

/** Slicers that make plates of models, with the option that names each. */
const SLICERS = [
  ['PrusaSlicer', 'prusaSlicer', findPrusaSlicer], ['OrcaSlicer', 'orcaSlicer', findOrcaSlicer],
  ['Bambu Studio', 'bambuStudio', findBambuStudio]
] as const

export interface SlicingOptions extends Readonly<Partial<Record<(typeof SLICERS)[number][1], string>>> {
  readonly remotes?: Parameters<typeof remoteSlicers>[0]
}

/** The slicers that make plates of models, here and elsewhere; the service works without one. */
export async function checkSlicers ({ plugins: { slicing } }: Config): Promise<Check> {
  const name = 'slicer'
  const { remotes = [], ...options } = (slicing || {}) as SlicingOptions
  const checked = await Promise.all(SLICERS.map(async ([title, option, find]) =>
    ({ title, option, program: options[option], found: await find(options[option]) })))
  const wrong = checked.filter(({ program, found }) => program !== undefined && found === undefined)
  if (wrong.length > 0) {
    const words = wrong.map(({ option, program }) => `plugins.slicing.${option} names '${program}', which is no program`)
    return failed(name, words.join('; '), 'Correct the path, or remove it.')
  }
  const elsewhere = await Promise.all(remoteSlicers(remotes).map(async slicer =>
    ({ title: slicer.title, found: await slicer.find() })))
  const silent = elsewhere.filter(({ found }) => found === undefined).map(({ title }) => title)
  if (silent.length > 0) {
    return failed(name, `${silent.join(', ')} cannot be reached`, 'Start prnd slicer there, or correct address and token in plugins.slicing.remotes.')
  }
  const there = [...checked, ...elsewhere].flatMap(({ title, found }) =>
    found ? [`${title} ${found.version || 'of an unknown version'}, ${found.place}`] : [])
  return there.length > 0
    ? ok(name, there.join('; '))
    : skipped(name, 'there is none, so models cannot be sliced; install PrusaSlicer (such as: apt install prusa-slicer), ' +
      'OrcaSlicer or Bambu Studio')
}
