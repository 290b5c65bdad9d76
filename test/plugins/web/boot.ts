import type { Test } from 'tap'
import { definePreset, type AnyPlugin, type Preset } from '../../../core/index.js'
import camera from '../../../plugins/camera/index.js'
import type { VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import files from '../../../plugins/files/index.js'
import projects from '../../../plugins/projects/index.js'
import web from '../../../plugins/web/index.js'
import daemon from '../../../presets/daemon/index.js'
import { boot, type Booted } from '../../helpers/boot.js'

const missingIn = ({ plugins }: Preset) => [camera, files, projects, web]
  .filter(({ name }) => !JSON.stringify(plugins).includes(`"name":"${name}"`))

export interface WebOptions {
  readonly models?: readonly VirtualPrinterOptions[]
  readonly more?: readonly AnyPlugin[]
  readonly api?: object
  readonly log?: object
  /** False: without pictures, which cost time. @default true */
  readonly camera?: boolean
  readonly listen?: boolean
  /** @default the daemon */
  readonly preset?: Preset
}

const MODELS: readonly VirtualPrinterOptions[] =
  [{ model: 'P1S', name: 'p1s', reportEveryMs: 200, sdCard: { samples: true } }]
/** Large pictures take time to draw, and to show without a graphics card; no test here needs them. */
const CAMERA = { width: 320, height: 180, fps: 2 }

/** An application with the web page, and whatever it shows that is not among its plugins. */
export async function bootWeb (t: Test, options: WebOptions = {}): Promise<Booted> {
  const { models = MODELS, more = [], api = {}, log, listen = true, preset = daemon } = options
  return await boot(t, {
    preset: definePreset({ name: preset.name, plugins: [preset.plugins, missingIn(preset), more] }),
    models: models.map(model => ({ camera: CAMERA, ...model })),
    config: {
      api: { host: '127.0.0.1', ...api },
      ...(log && { log }),
      ...(options.camera === false && { plugins: { camera: false } })
    },
    listen
  })
}

export const addressOf = ({ kernel }: Booted, query = ''): string => `http://127.0.0.1:${kernel.apiPort}/${query}`
