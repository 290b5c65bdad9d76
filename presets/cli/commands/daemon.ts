import { readConfig } from '../../../core/index.js'
import { runDaemon } from '../../daemon/main.js'
import { modelsOf, startVirtual } from '../virtual.js'

interface DaemonOptions {
  readonly config?: string
  /** Models; true for the usual one. */
  readonly demo?: string | true
  readonly only?: boolean
  readonly speed: number
}

const USUAL_MODEL = 'x1c'

/** Without a configured printer a virtual one takes its place, so that everything can be tried at once. */
async function demoModels ({ demo, config }: DaemonOptions): Promise<string | undefined> {
  if (demo !== undefined) return demo === true ? USUAL_MODEL : demo
  const { config: { printers } } = await readConfig(config)
  return printers.length === 0 ? USUAL_MODEL : undefined
}

export default async function daemon (options: DaemonOptions): Promise<void> {
  const models = await demoModels(options)
  if (models === undefined) {
    await runDaemon({ config: options.config })
    return
  }
  const virtual = await startVirtual(modelsOf(models), options.speed)
  if (options.demo === undefined) {
    console.log('No printer is configured yet: a virtual one takes its place. Configure yours in the file that `prn config path` names.')
  }
  await runDaemon({
    config: options.config,
    printers: virtual.printers,
    only: options.only === true,
    onClose: () => virtual.stop()
  })
}
