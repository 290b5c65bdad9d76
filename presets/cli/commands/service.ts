import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, userInfo } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childEnvironment, defineError, environment, readConfig } from '../../../core/index.js'
import { reachable } from '../find-service.js'
import { runningService } from '../service.js'
import { managedService, type Machine } from '../service-manager/managed-service.js'
import type { ManagedService, Step } from '../service-manager/types.js'

interface Options { readonly config?: string, readonly dryRun?: boolean }

export const ServiceManagerFailed = defineError<[why: string]>('PRN_ERR_SERVICE_MANAGER', '%s', 500)

const STEP_WITHIN_MS = 60_000
const UP_WITHIN_MS = 30_000
const ASK_EVERY_MS = 500
const MOST_OUTPUT_BYTES = 1_048_576
/** Where the manager of a person's services is. */
const SESSION = /^(XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS)$/

function thisMachine (): Machine {
  const { username, uid } = userInfo()
  const { platform, argv: [, program = ''], execPath: node } = process
  return {
    platform,
    user: username,
    uid,
    home: homedir(),
    env: environment(),
    node,
    program: realpathSync(program),
    hasSystemd: existsSync('/run/systemd/system')
  }
}

interface Outcome { readonly isDone: boolean, readonly said: string }

const outcomeOf = ([program, ...args]: Step['run']): Promise<Outcome> => new Promise(resolve => {
  const env = childEnvironment(SESSION)
  const options = { timeout: STEP_WITHIN_MS, maxBuffer: MOST_OUTPUT_BYTES, env, windowsHide: true }
  execFile(program, args, options, (error, stdout, stderr) =>
    resolve({ isDone: error === null, said: (stderr.trim() || stdout.trim() || error?.message) ?? '' }))
})

const SPECIAL = /[\s"'|&;<>()]/
const commandLine = ({ run }: Step): string => run.map(word => SPECIAL.test(word) ? `'${word}'` : word).join(' ')

/** @throws PRN_ERR_SERVICE_MANAGER with what the command said */
async function take (steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const { isDone, said } = await outcomeOf(step.run)
    if (!isDone && step.otherwise === undefined) throw new ServiceManagerFailed(`${commandLine(step)}: ${said}`)
    if (!isDone && step.otherwise) console.error(step.otherwise)
  }
}

async function isRunning ({ state: { run, running } }: ManagedService): Promise<boolean> {
  return running.test((await outcomeOf(run)).said)
}

/** Of a service of this person; one of the whole machine has a configuration of its own. */
async function addressOf (config: string | undefined): Promise<string | undefined> {
  const read = await readConfig(config)
  const service = await runningService(read)
  return service && `http://${reachable(read.config.api.host)}:${service.port}`
}

async function awaitAddress (config: string | undefined): Promise<string | undefined> {
  const end = performance.now() + UP_WITHIN_MS
  do {
    const address = await addressOf(config).catch(() => undefined) // it may be half up
    if (address !== undefined) return address
    await sleep(ASK_EVERY_MS)
  } while (performance.now() < end)
  return undefined
}

const listed = (title: string, steps: readonly Step[]): string[] =>
  steps.length === 0 ? [] : [title, ...steps.map(step => `  ${commandLine(step)}`), '']

function showInstallation ({ kind, file, text, prepare, install }: ManagedService): void {
  const content = text.trimEnd().split('\n').map(line => `  ${line}`)
  console.log([
    ...listed('First:', prepare), `The ${kind} ${file} would be written:`, ...content, '', ...listed('Then:', install)
  ].join('\n').trimEnd())
}

function showRemoval ({ kind, file, stop, forget }: ManagedService): void {
  console.log([
    ...listed('First:', stop), `The ${kind} ${file} would be deleted.`, '', ...listed('Then:', forget)
  ].join('\n').trimEnd())
}

const isSystem = ({ file }: ManagedService): boolean => file.startsWith('/etc/')

/** Has the service manager of this machine start the service, now and with the machine. */
export async function install ({ config, dryRun = false }: Options, machine = thisMachine()): Promise<void> {
  const service = managedService(machine, config)
  const { kind, file, text, encoding, logs } = service
  if (dryRun) return showInstallation(service)
  const other = isSystem(service) || await isRunning(service) ? undefined : await addressOf(config)
  if (other !== undefined) {
    throw new ServiceManagerFailed(`A service runs at ${other}, started some other way. Stop it first`)
  }
  await take(service.prepare)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text, { encoding })
  console.log(`Written: the ${kind} ${file}`)
  await take(service.install)
  if (isSystem(service)) return console.log(`Installed. Its messages: ${logs}`)
  const address = await awaitAddress(config)
  if (address === undefined) {
    throw new ServiceManagerFailed(`The service does not answer after ${UP_WITHIN_MS / 1_000} s. Its messages: ${logs}`)
  }
  console.log(`Running: ${address}\nIts messages: ${logs}`)
}

/** Says whether the service is installed and running. The exit code is 1 unless it runs. */
export async function status ({ config }: Options, machine = thisMachine()): Promise<void> {
  const service = managedService(machine, config)
  const { kind, file, text, encoding, logs } = service
  if (!existsSync(file)) {
    process.exitCode = 1
    return console.log('Not installed: prnd service install')
  }
  const isCurrent = await readFile(file, encoding) === text
  const runs = await isRunning(service)
  const address = runs && !isSystem(service) ? await addressOf(config).catch(() => undefined) : undefined
  console.log(`Installed: the ${kind} ${file}`)
  if (!isCurrent) console.log('After an update or a move it is out of date: prnd service install writes it anew.')
  console.log(runs ? `Running${address === undefined ? '' : `: ${address}`}` : 'Not running')
  console.log(`Its messages: ${logs}`)
  if (!runs) process.exitCode = 1
}

/** Stops the service and has the service manager forget it. Configuration and data stay. */
export async function remove ({ config, dryRun = false }: Options, machine = thisMachine()): Promise<void> {
  const service = managedService(machine, config)
  const { kind, file, stop, forget } = service
  if (dryRun) return showRemoval(service)
  if (!existsSync(file)) return console.log('It is not installed.')
  await take(stop)
  await rm(file, { force: true })
  await take(forget)
  console.log(`Removed: the ${kind} ${file}. Configuration and data are as they were.`)
}
