import { createKernel, readConfig } from '../../../core/index.js'
import { bridgeStdio, serveStdio } from '../../../plugins/mcp/index.js'
import daemon from '../../daemon/index.js'
import { findService } from '../find-service.js'

const say = (message: string) => { process.stderr.write(`${message}\n`) }

/** Joins the running service, or runs one in this process for as long as the agent stays. */
export default async function mcp ({ config: file }: { config?: string }): Promise<void> {
  const { config, path } = await readConfig(file, { warn: say })
  const port = await findService(config)
  if (port !== undefined) {
    say(`joining the service on port ${port}`)
    return await bridgeStdio(`http://127.0.0.1:${port}/mcp`, config.api.token)
  }
  const kernel = await createKernel(daemon, config, { configFile: path, logEcho: process.stderr, warn: say })
  process.once('SIGTERM', () => { void kernel.close().then(() => process.exit(0)) })
  process.once('SIGINT', () => { void kernel.close().then(() => process.exit(0)) })
  await kernel.start()
  say(`no service was running; this process is one now, on port ${kernel.apiPort}`)
  await serveStdio(kernel.services.mcp.offer)
  await kernel.close()
  process.exit(0)
}
