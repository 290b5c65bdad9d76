import { readConfig } from '../../../core/index.js'
import type { ModelName } from '../../../plugins/emulator/index.js'
import { runDaemon } from '../../daemon/main.js'
import standalone from '../../standalone/index.js'
import { announce, configFor } from '../../standalone/main.js'
import { withVirtual } from '../virtual.js'

interface AppOptions {
  readonly config?: string
  /** Control a virtual printer in place of the configured one; true for the usual model. */
  readonly demo?: readonly ModelName[] | true
  readonly host?: string
  readonly port?: number
  readonly speed: number
}

/** Its camera needs no ffmpeg, so that it works on every machine. */
const USUAL: ModelName = 'P1S'

/** The application controls one printer, so the first model counts. */
async function virtualModel ({ demo, config }: AppOptions): Promise<ModelName | undefined> {
  if (demo !== undefined) return demo === true ? USUAL : demo[0] ?? USUAL
  const { config: { printers } } = await readConfig(config)
  return printers.length === 0 ? USUAL : undefined
}

function hintOf ({ demo }: AppOptions, model: ModelName | undefined): string | undefined {
  if (model === undefined) return undefined
  if (demo === undefined) return 'No printer is configured yet: a virtual one takes its place. `prn config path` names the file for yours.'
  const others = demo === true ? [] : demo.slice(1)
  const left = others.length === 0 ? '' : ` One printer is controlled at a time: ${others.join(', ')} left out.`
  return `A virtual ${model} is controlled; nothing is sent to a real printer.${left}`
}

export default async function app (options: AppOptions): Promise<void> {
  const { config, host, port, speed } = options
  const model = await virtualModel(options)
  await runDaemon({
    config,
    preset: model === undefined ? standalone : await withVirtual(standalone, { models: [model], speed }),
    only: model !== undefined,
    hint: hintOf(options, model),
    adapt: config => configFor(config, { host, port }),
    announce
  })
}
