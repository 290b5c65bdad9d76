import sharp from 'sharp'
import type { Test } from 'tap'
import { definePlugin, type PluginEntry } from '../../../core/index.js'
import camera from '../../../plugins/camera/index.js'
import { plateChangeWith, type SensorBroker } from '../../../plugins/plate-change/index.js'
import { queueWith } from '../../../plugins/queue/index.js'
import toolpath from '../../../plugins/toolpath/index.js'
import { boot, type Booted, type BootOptions } from '../../helpers/boot.js'
import { recordedWith } from '../history/preset.js'
import { make3mf } from '../projects/make-3mf.js'
import { FAST, timing } from '../queue/helpers.js'
import { plateText } from '../toolpath/plate-text.js'

export const END = ['M104 S0', 'M140 S0', 'G91', 'G1 Z1', 'M18', 'M73 P100 R0', '; EXECUTABLE_BLOCK_END', '']

/** A plate that a virtual X1C can print, and that has real toolpaths. */
export const realPlate = (minutes = 10): Buffer => make3mf([{
  number: 1,
  gcode: [plateText(), ...END].join('\n').replace('; filament_type = PLA;PETG', '; filament_type = PLA').replaceAll(/M620 S1A\nT1\nG1 E8 F300\nM621 S1A\n/g, ''),
  filaments: [{ id: 1, type: 'PLA', color: '#FFFFFF' }],
  metadata: { printer_model_id: 'BL-P001', nozzle_diameters: '0.4', prediction: String(minutes * 60), weight: '1.5' }
}])

/** A sensor on a broker that a test speaks for. */
export class FakeBroker implements SensorBroker {
  isConnected = true
  readonly asked: string[] = []
  readonly #listeners = new Set<Parameters<SensorBroker['subscribe']>[1]>()
  /** What it answers to each subscription; undefined: nothing. */
  answer: { readonly text: string, readonly isRetained?: boolean } | undefined

  get listeners (): number { return this.#listeners.size }

  subscribe (topic: string, listener: Parameters<SensorBroker['subscribe']>[1]): () => void {
    this.#listeners.add(listener)
    const { answer } = this
    if (answer) {
      setTimeout(() => {
        const { text, isRetained = false } = answer
        if (this.#listeners.has(listener)) listener({ topic, payload: Buffer.from(text), isRetained })
      }, 5)
    }
    return () => { this.#listeners.delete(listener) }
  }

  publish (topic: string): void { this.asked.push(topic) }
}

/** Pictures of a camera that a test decides on; each is a little different, as those of cameras are. */
export class FakeCamera {
  scene: 'empty' | 'part' | 'black' | 'frozen' | 'off' = 'empty'
  #seq = 0
  #frozen: Buffer | undefined

  async picture (): Promise<Buffer> {
    if (this.scene === 'frozen') return (this.#frozen ??= await this.#draw('empty'))
    return await this.#draw(this.scene)
  }

  async #draw (scene: string): Promise<Buffer> {
    const [width, height] = [320, 180]
    const pixels = Buffer.alloc(width * height)
    let seed = ++this.#seq * 7_919
    const noise = () => { seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648; return seed % 7 - 3 }
    const part = 90 + this.#seq % 4 * 20
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const bed = 90 + 30 * Math.sin(x / 13) + 20 * Math.sin(y / 9)
        const isPart = scene === 'part' && x > part && x < part + 60 && y > 70 && y < 120
        pixels[y * width + x] = scene === 'black' ? 5 + noise() : Math.max(0, Math.min(255, (isPart ? 220 : bed) + noise() + this.#seq % 3))
      }
    }
    return await sharp(pixels, { raw: { width, height, channels: 1 } }).jpeg().toBuffer()
  }

  /** In place of the plugin for cameras. */
  plugin = (): PluginEntry => definePlugin({
    name: 'camera',
    version: '2.0.0',
    kernel: '^2.0.0',
    description: 'Pictures of a test',
    provides: ['camera'],
    setup: ({ kernel, provide }) => {
      provide('camera', {
        latestFrame: async () => {
          if (this.scene === 'off') throw new Error('the camera is off')
          const jpeg = await this.picture()
          return { seq: this.#seq, jpeg, width: 320, height: 180, capturedAt: kernel.now() + this.#seq }
        }
      } as never)
    }
  })
}

export interface Setup {
  readonly broker?: FakeBroker
  readonly camera?: FakeCamera
  readonly plate?: Parameters<typeof plateChangeWith>[0]
}

export async function start (
  t: Test, { broker = new FakeBroker(), camera: fake, plate }: Setup = {}, options: BootOptions = {}
): Promise<Booted> {
  const preset = recordedWith(toolpath, queueWith(timing), plateChangeWith({
    tickMs: 30, refreshMs: 200, sensorMs: 2_000, betweenMs: 5, broker, ...plate
  }))
  const entries = preset.plugins as readonly PluginEntry[]
  const plugins = fake ? entries.map(entry => withCamera(entry, fake)) : entries
  return await boot(t, { preset: { ...preset, plugins }, models: [{ model: 'X1C', name: 'x1c', ...FAST }], ...options })
}

const withCamera = (entry: PluginEntry, fake: FakeCamera): PluginEntry =>
  Array.isArray(entry)
    ? entry.map((one: PluginEntry) => withCamera(one, fake))
    : entry === camera ? fake.plugin() : entry

export const RECIPE = {
  name: 'Push',
  models: [],
  materials: [],
  start_gcode: '',
  end_gcode: 'M190 R60\nG90\nG1 Z{print_height_mm+10} F900\nG1 X128 Y250 F6000\nG1 Z5\nG1 Y5',
  cool_c: 60,
  cool_minutes: 60,
  soak_minutes: 0,
  magazine: 0,
  check: 'sensor',
  sensor: { topic: 'bench/plate', key: '', empty: 'empty' }
} as const

/** Saves a recipe and accepts it for the printer. */
export async function accepted ({ http }: Booted, fields: object = {}, printer = 'x1c'): Promise<{ id: string, hash: string }> {
  const saved = await http('POST', '/api/plate-change/recipes', { ...RECIPE, ...fields } as never)
  if (saved.status !== 200) throw new Error(JSON.stringify(saved.body))
  const { id, hash } = saved.body as unknown as { id: string, hash: string }
  const { status, body } = await http('POST', '/api/plate-change/accept', { printer, recipe: id, hash, accepted: true })
  if (status !== 200) throw new Error(JSON.stringify(body))
  return { id, hash }
}

export const statusOf = async ({ http }: Booted, printer = 'x1c') =>
  (await http('GET', '/api/plate-change/status', { printer })).body as unknown as {
    step: string,
    reason: string,
    magazine: { used: number, size: number, is_empty: boolean }
    measured: { hash: string, may_accept: boolean, text: string, is_accepted: boolean },
    recipes: object[]
    last_check: { verdict: string } | null,
    pictures: { id: string, kind: string }[]
  }
