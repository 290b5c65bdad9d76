import type { Test } from 'tap'
import { boot, type Booted } from '../helpers/boot.js'

/** Whatever names no printer means this one. */
const DEFAULT = 'default'
/** Printers to be tried hard, besides the default one. */
const TRIED = ['X1C', 'A1_MINI', 'P1S', 'H2D'] as const
const SPEED = 5

export async function fleet (t: Test): Promise<Booted> {
  const models = TRIED.map((model, at) => ({ model, name: `tried ${at}`, speed: SPEED }))
  const booted = await boot(t, {
    models: [...models, { model: 'X1C', name: DEFAULT, speed: SPEED }],
    config: { defaultPrinter: DEFAULT, plugins: { mcp: { toolsets: ['all'] } } }
  })
  return { ...booted, printers: booted.printers.filter(({ name }) => name !== DEFAULT) }
}
