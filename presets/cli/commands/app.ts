import { readConfig } from '../../../core/index.js'
import type { ModelName } from '../../../plugins/emulator/index.js'
import { runDaemon } from '../../daemon/main.js'
import standalone from '../../standalone/index.js'
import { announce, configFor } from '../../standalone/main.js'
import { emptyHint, virtualNames, withoutSwitch, withVirtual } from '../virtual-printers.js'

interface AppOptions {
  readonly config?: string
  /** Control a virtual printer instead of the configured one; true for the default model. */
  readonly demo?: readonly ModelName[] | true
  readonly host?: string
  readonly port?: number
  /** Skip the plugins that the configuration adds. */
  readonly safe?: boolean
  readonly speed: number
}

/** Its camera works without ffmpeg, and therefore on every machine. */
const USUAL: ModelName = 'P1S'

interface Virtual { readonly model?: ModelName, readonly hint?: string }

/** The application controls one printer, so only the first model is used. */
async function virtualFor ({ demo, config }: AppOptions): Promise<Virtual> {
  if (demo !== undefined) {
    const model = demo === true ? USUAL : demo[0] ?? USUAL
    return { model, hint: hintOf(demo, model) }
  }
  const { config: { printers, plugins } } = await readConfig(config)
  if (printers.length > 0) return {}
  const isOff = plugins.emulator === false
  return { hint: emptyHint(isOff ? 'off' : 'new'), ...(!isOff && { model: USUAL }) }
}

function hintOf (demo: NonNullable<AppOptions['demo']>, model: ModelName): string {
  const others = demo === true ? [] : demo.slice(1)
  const left = others.length === 0 ? '' : ` Only one printer is controlled at a time; ignored: ${others.join(', ')}.`
  return `A virtual ${model} is controlled; nothing is sent to a real printer.${left}`
}

export default async function app (options: AppOptions): Promise<void> {
  const { config, host, port, safe, speed } = options
  const { model, hint } = await virtualFor(options)
  await runDaemon({
    config,
    preset: model === undefined ? standalone : await withVirtual(standalone, { models: [model], speed }),
    only: model === undefined ? undefined : await virtualNames([model]),
    safe,
    hint,
    adapt: config => configFor(model === undefined ? withoutSwitch(config) : config, { host, port }),
    announce
  })
}
