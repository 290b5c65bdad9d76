import type { PrinterEntry } from '../../core/index.js'
import { parseModel, startFleet, type ModelName } from '../../plugins/emulator/index.js'

export interface VirtualPrinters {
  readonly printers: readonly PrinterEntry[]
  stop (): Promise<void>
}

/** `x1c,h2d` to model names. @throws RangeError naming the valid ones */
export const modelsOf = (list: string): ModelName[] =>
  list.split(',').map(text => text.trim()).filter(text => text !== '').map(parseModel)

/** Starts virtual printers on this machine and says how to reach them. */
export async function startVirtual (models: readonly ModelName[], speed = 1): Promise<VirtualPrinters> {
  const fleet = await startFleet({ models: [...models], speed })
  return {
    printers: fleet.printers.map(({ name, host, serial, accessCode, fingerprint, ports }) => ({
      name,
      host,
      serial,
      accessCode,
      ports: { mqtt: ports.mqtt },
      tls: { mode: 'pin' as const, fingerprint }
    })),
    stop: () => fleet.stop()
  }
}
