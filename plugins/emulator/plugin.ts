import { Type } from 'typebox'
import { definePlugin, STANDARD_PORTS, type PrinterConfig } from '../../core/index.js'
import { startFleet, type Fleet } from './fleet.js'
import { parseModel } from './models/index.js'
import type { VirtualPrinter } from './printer.js'

const Options = Type.Object({
  models: Type.Array(Type.String(), { default: ['x1c'], description: 'Models to run, such as a1mini, p1s, x1c, h2d' }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'How many; the models take turns' })),
  speed: Type.Number({ default: 1, exclusiveMinimum: 0, description: '60 = a minute a second' }),
  announce: Type.Boolean({ default: false, description: 'Let programs on this machine discover them' }),
  standIn: Type.Boolean({ default: false, description: 'They leave as soon as another printer is added' })
})

const configOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter,
  virtual: PrinterConfig['virtual'] & string): PrinterConfig => ({
  name,
  host,
  serial,
  accessCode,
  ports: { ...STANDARD_PORTS, ...ports },
  tls: { mode: 'pin', fingerprint },
  virtual
})

/** Adds virtual printers to a service, for trying it out. They run as long as the service. */
export default definePlugin({
  name: 'emulator',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Virtual printers',
  uses: ['network'],
  options: Options,
  setup ({ options, kernel: { config }, printers, log, onReady, onClose }) {
    const { models, count, speed, announce, standIn } = options
    let fleet: Fleet | undefined
    let leaving: Promise<void> | undefined

    /** Removed with the first real printer, so that a call without a printer's name never means a virtual one. */
    async function leave ({ printers: own, stop }: Fleet): Promise<void> {
      fleet = undefined
      for (const { name } of own) await printers.remove(name)
      await stop()
    }

    onReady(async () => {
      const size = count === undefined ? {} : { count }
      const camera = config.ffmpeg === undefined ? {} : { ffmpeg: config.ffmpeg }
      const sdCard = { samples: true }
      fleet = await startFleet({ models: models.map(parseModel), speed, announce, camera, sdCard, ...size })
      const names = new Set(fleet.printers.map(({ name }) => name))
      const kind = standIn ? 'stand-in' : 'permanent'
      await Promise.all(fleet.printers.map(printer => printers.add(configOf(printer, kind))))
      if (!standIn) return
      printers.each(({ name }) => {
        if (fleet === undefined || names.has(name)) return
        leaving = leave(fleet).catch((error: unknown) => log.error({ err: error }, 'virtual printers could not be ended'))
      })
    })
    onClose(async () => {
      await leaving
      if (fleet === undefined) return
      // Sessions outlive the plugins and would report the lost connection as an error.
      for (const { name } of fleet.printers) await printers.disconnect(name)
      await fleet.stop()
    })
  }
})
