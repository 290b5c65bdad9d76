// Starts the service inside Home Assistant: takes its options, and the broker that the supervisor knows.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const PLACES = { options: '/data/options.json', config: '/config/config.json', data: '/data/prnd' }
const SUPERVISOR = 'http://supervisor'
const WITHIN_MS = 10_000
const MEMORY = [
  '--max-semi-space-size=4', '--v8-pool-size=1', '--initial-old-space-size=96', '--max-old-space-size=1024'
]

/** The broker of the installation; undefined where there is none. */
export async function findBroker (token, supervisor = SUPERVISOR) {
  const reply = await fetch(`${supervisor}/services/mqtt`, {
    headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(WITHIN_MS)
  }).catch(() => undefined)
  if (!reply?.ok) return undefined
  const { data } = await reply.json()
  return data
}

/**
 * Writes the configuration at the first start, and names the broker in it unless somebody wrote another one.
 * @returns variables for the service; the broker's password is in no file
 */
export function prepare ({ token, port }, broker, { config: path, data } = PLACES) {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '{}\n'
  if (broker !== undefined) {
    const config = JSON.parse(text)
    if (config.plugins?.homeassistant === undefined) {
      const { host, port: brokerPort, username, ssl } = broker
      const address = `${ssl ? 'mqtts' : 'mqtt'}://${username ? `${encodeURIComponent(username)}@` : ''}${host}:${brokerPort}`
      const homeassistant = { broker: address, ...(broker.password && { password: { env: 'PRN_BROKER_PASSWORD' } }) }
      config.plugins = { ...config.plugins, homeassistant }
      write(path, `${JSON.stringify(config, null, 2)}\n`)
    }
  }
  if (!existsSync(path)) write(path, text)
  return {
    PRN_DATA_DIR: data,
    PRN_CONFIG: path,
    PRN_API_PORT: String(port),
    ...(token && { PRN_API_TOKEN: token }),
    ...(broker?.password && { PRN_BROKER_PASSWORD: broker.password })
  }
}

function write (path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o600 })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const options = JSON.parse(readFileSync(PLACES.options, 'utf8'))
  const env = { ...process.env, ...prepare(options, await findBroker(process.env.SUPERVISOR_TOKEN)) }
  const child = spawn(process.execPath, [...MEMORY, 'node_modules/prnd/dist/presets/cli/main.js', 'daemon'], { stdio: 'inherit', env })
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal))
  child.on('exit', code => process.exit(code ?? 1))
}
