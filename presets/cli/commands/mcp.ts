import closeWithGrace from 'close-with-grace'
import { setTimeout as sleep } from 'node:timers/promises'
import { createKernel, isServiceError, readConfig, startSkipping, type Config, type Kernel } from '../../../core/index.js'
import { bridgeStdio, serveStdio, type Selection } from '../../../plugins/mcp/index.js'
import daemon from '../../daemon/index.js'
import { portNote } from '../../address.js'
import { findService } from '../find-service.js'

/** A service that has just locked the data folder answers within this time. */
const JOIN_WITHIN_MS = 15_000
const POLL_EVERY_MS = 250

const say = (message: string) => { process.stderr.write(`${message}\n`) }

interface Options extends Partial<Selection> { readonly config?: string }

/** Connects the agent to the running service, or serves it in this process. */
export default async function mcp ({ config: file, toolsets = [], schemas = [] }: Options): Promise<void> {
  const selection = { toolsets, schemas }
  const { config, path } = await readConfig(file, { warn: say })
  if (await join(config, selection)) return
  let kernel = undefined as Kernel | undefined
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) say(err.stack ?? err.message)
    await kernel?.close()
  })
  try {
    kernel = await startSkipping(async skipped => {
      kernel = await createKernel(daemon, config, { configFile: path, logEcho: process.stderr, warn: say, skipped })
      return kernel
    })
  } catch (error) {
    if (isServiceError(error) && error.code === 'PRN_ERR_FOLDER_IN_USE' && await joinSoon(config, selection)) return
    throw error
  }
  const note = portNote(kernel)
  if (note !== undefined) say(note)
  say(`no service was running; this process serves now, on port ${kernel.apiPort}`)
  await serveStdio(kernel.services.mcp.serverContext, selection)
  await kernel.close()
  process.exit(0)
}

/** @returns false if there is no service; else true, once the agent has disconnected */
async function join (config: Config, selection: Selection): Promise<boolean> {
  const found = await findService(config)
  if (found === undefined) return false
  say(`joining the ${found.isDemo ? 'demonstration' : 'service'} on port ${found.port}`)
  const url = new URL(`${found.base}/mcp`)
  for (const [key, names] of Object.entries(selection)) if (names.length > 0) url.searchParams.set(key, names.join(','))
  await bridgeStdio(url.href, found.fetch)
  return true
}

/** Another process that was started at the same time has won. */
async function joinSoon (config: Config, selection: Selection): Promise<boolean> {
  const endAt = performance.now() + JOIN_WITHIN_MS
  while (!await join(config, selection)) {
    if (performance.now() > endAt) return false
    await sleep(POLL_EVERY_MS)
  }
  return true
}
