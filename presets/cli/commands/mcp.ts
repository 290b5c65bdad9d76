import closeWithGrace from 'close-with-grace'
import { createKernel, readConfig, type Kernel } from '../../../core/index.js'
import { bridgeStdio, serveStdio } from '../../../plugins/mcp/index.js'
import daemon from '../../daemon/index.js'
import { findService, reachable } from '../find-service.js'

const say = (message: string) => { process.stderr.write(`${message}\n`) }

/** Joins the running service, or runs one in this process for as long as the agent stays. */
export default async function mcp ({ config: file }: { config?: string }): Promise<void> {
  const { config, path } = await readConfig(file, { warn: say })
  const port = await findService(config)
  if (port !== undefined) {
    say(`joining the service on port ${port}`)
    return await bridgeStdio(`http://${reachable(config.api.host)}:${port}/mcp`, config.api.token)
  }
  let kernel = undefined as Kernel | undefined
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) say(err.stack ?? err.message)
    await kernel?.close()
  })
  kernel = await createKernel(daemon, config, { configFile: path, logEcho: process.stderr, warn: say })
  await kernel.start()
  say(`no service was running; this process is one now, on port ${kernel.apiPort}`)
  await serveStdio(kernel.services.mcp.offer)
  await kernel.close()
  process.exit(0)
}
