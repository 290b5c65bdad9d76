import { Type } from 'typebox'
import { definePlugin, STANDARD_PORTS, type PrinterConfig } from '../../core/index.js'
import { startFleet, type Fleet } from './fleet.js'
import { parseModel } from './models/index.js'
import type { VirtualPrinter } from './printer.js'

const Options = Type.Object({
  models: Type.Array(Type.String(), { default: ['x1c'], description: 'Models to run, such as a1mini, p1s, x1c, h2d' }),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'How many; the models take turns' })),
  speed: Type.Number({ default: 1, exclusiveMinimum: 0, description: '60 = a minute a second' }),
  announce: Type.Boolean({ default: false, description: 'Let programs on this machine discover them' })
})

const configOf = ({ name, host, serial, accessCode, ports, fingerprint }: VirtualPrinter): PrinterConfig => ({
  name,
  host,
  serial,
  accessCode,
  ports: { ...STANDARD_PORTS, ...ports },
  tls: { mode: 'pin', fingerprint }
})

/** Adds virtual printers to a service, for trying it out. They live as long as the service. */
export default definePlugin({
  name: 'emulator',
  version: '1.0.0',
  kernel: '^1.0.0',
  description: 'Virtual printers',
  uses: ['network'],
  options: Options,
  setup ({ options: { models, count, speed, announce }, kernel: { config }, printers, onReady, onClose }) {
    let fleet: Fleet | undefined
    onReady(async () => {
      const size = count === undefined ? {} : { count }
      const camera = config.ffmpeg === undefined ? {} : { ffmpeg: config.ffmpeg }
      const sdCard = { samples: true }
      fleet = await startFleet({ models: models.map(parseModel), speed, announce, camera, sdCard, ...size })
      await Promise.all(fleet.printers.map(printer => printers.add(configOf(printer))))
    })
    onClose(async () => { await fleet?.stop() })
  }
})
