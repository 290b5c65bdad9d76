import type { Test } from 'tap'
import { definePreset } from '../../../core/index.js'
import http from '../../../plugins/http/index.js'
import management from '../../../plugins/management/index.js'
import mcp from '../../../plugins/mcp/index.js'
import state from '../../../plugins/state/index.js'
import filament from '../../../plugins/filament/index.js'
import system from '../../../plugins/system/index.js'
import { createVirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { boot, type BootOptions } from '../../helpers/boot-features.js'

/** What managing printers needs, and no more. */
export const preset = definePreset({ name: 'managed', plugins: [http, mcp, system, filament, state, management] })

/** A service without printers. */
export const empty = (t: Test, options: BootOptions = {}) => boot(t, {
  models: [],
  preset,
  ...options,
  config: { plugins: { management: { reportSeconds: 1.5 } }, ...options.config }
})

/** A printer that no service knows yet. */
export async function stranger (t: Test, options: Partial<VirtualPrinterOptions> = {}) {
  const printer = createVirtualPrinter({ model: 'P1S', name: 'stranger', accessCode: '87654321', ...options })
  await printer.start()
  t.teardown(() => printer.stop())
  return {
    printer,
    args: {
      name: 'new',
      ip: printer.host,
      serial: printer.serial,
      access_code: printer.accessCode,
      mqtt_port: printer.ports.mqtt,
      user_permission: true
    }
  }
}
