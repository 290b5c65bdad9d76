import closeWithGrace from 'close-with-grace'
import { startFleet, type Fleet, type ModelName } from '../../../plugins/emulator/index.js'

interface Options {
  readonly host: string
  readonly count?: number
  readonly speed: number
  /** Without the sample projects. */
  readonly emptyCard?: boolean
}

/** Runs virtual printers until a signal, and prints the configuration for them. */
export default async function emulate (models: readonly ModelName[], options: Options): Promise<void> {
  const { host, count, speed, emptyCard = false } = options
  let fleet = undefined as Fleet | undefined
  closeWithGrace({ delay: 5_000, logger: false }, async () => { await fleet?.stop() })
  const sdCard = { samples: !emptyCard }
  fleet = await startFleet({ models, host, speed, sdCard, announce: true, ...(count !== undefined && { count }) })
  console.log(JSON.stringify({
    printers: fleet.printers.map(({ name, host, serial, accessCode, fingerprint, ports }) =>
      ({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } }))
  }, null, 2))
  for (const { name, host: address, detectPorts: { detect, detectTls } } of fleet.printers) {
    console.error(`${name} answers slicers that ask which printer it is: ${address}:${detect}, with TLS ${address}:${detectTls}`)
  }
  console.error('These virtual printers run until Ctrl+C; put the lines above into a configuration file.')
}
