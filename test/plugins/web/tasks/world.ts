import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import { definePreset } from '../../../../core/index.js'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions } from '../../../../plugins/emulator/index.js'
import { DAY_MS } from '../../../../plugins/history/sums.js'
import { maintenanceWith } from '../../../../plugins/maintenance/index.js'
import { boot } from '../../../helpers/boot.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'
import { freePort } from '../../../helpers/ports.js'
import { browse } from '../../charts/chromium.js'
import { madeUp } from '../../history/rows.js'
import { ask, localPass, logIn, PASSWORD, type Said } from '../../people/people.js'
import { fastDaemon } from '../../queue/helpers.js'

const PLATES = 30
const HALF_DAY_MS = DAY_MS / 2
/** A printer that connects late is looked at a minute later otherwise. */
const LOOKED_AT_MS = 1_000
export const CODE = '87654321'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export interface World {
  readonly page: Page
  readonly pageErrors: readonly string[]
  readonly base: string
  readonly printers: readonly VirtualPrinter[]
  /** A printer of the network that the service does not have yet. */
  readonly newcomer: VirtualPrinter
  /** What was sent to other machines. */
  readonly sent: readonly string[]
  /** Asks a route as Ann, who sits before the page. */
  api (method: Method, path: string, params?: object): Promise<Said>
  printer (name: string): VirtualPrinter
}

/** One that dries, one that prints in colour, and the rest of a room of thirty. */
const ROOM: readonly VirtualPrinterOptions[] = [
  { model: 'H2D', name: 'dryer', reportEveryMs: 500 }, { model: 'X1C', name: 'bench', reportEveryMs: 500 },
  ...Array.from({ length: PLATES - 2 }, (_, at): VirtualPrinterOptions => ({ model: 'P1S', name: `room-${at + 1}` }))
]

const preset = definePreset({
  name: fastDaemon.name,
  plugins: (fastDaemon.plugins as readonly { name?: string }[]).map(plugin =>
    plugin.name === 'maintenance' ? maintenanceWith({ everyMs: LOOKED_AT_MS }) : plugin) as never
})

/** The last Tuesday before today, at noon. */
export function lastTuesday (now = new Date()): Date {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate(), 12)
  day.setDate(day.getDate() - ((day.getDay() + 4) % 7 + 1))
  return day
}

/** A room of thirty printers with a past, and Ann, who is logged in. */
export async function openRoom (t: Test): Promise<World> {
  const [main, old] = [await freePort(), await freePort()]
  const newcomer = createVirtualPrinter({
    model: 'P1S', name: 'workshop', accessCode: CODE, announce: { to: '127.0.0.1', port: main, everyMs: 200 }
  })
  await newcomer.start()
  t.teardown(() => newcomer.stop())
  const sent: string[] = []
  t.intercept(globalThis, 'fetch', {
    value: async (url: URL) => {
      sent.push(url.host)
      return new Response(null, { status: 200 })
    }
  })
  const { detect: detectPort, detectTls: detectTlsPort } = newcomer.detectPorts
  const { kernel, printers } = await boot(t, {
    preset,
    models: ROOM,
    listen: true,
    config: {
      api: { host: '127.0.0.1' },
      dataDir: testFolder(t),
      plugins: { camera: false, management: { discoveryPort: main, oldDiscoveryPort: old, detectPort, detectTlsPort } }
    }
  })
  const { database } = kernel.services
  const since = lastTuesday().getTime() - 20 * HALF_DAY_MS
  for (let number = 0; since + (number + 1) * HALF_DAY_MS < Date.now(); number++) {
    for (const row of madeUp(number, since, HALF_DAY_MS, 3)) database.put(row)
  }
  const ann = { name: 'Ann', role: 'administrate', password: PASSWORD }
  await ask(kernel, 'POST', '/api/people/users', ann, { key: await localPass(kernel) })
  const { cookie } = await logIn(kernel, 'Ann', PASSWORD)
  await eventually(() => kernel.services.maintenance.statuses.length === PLATES)
  const base = `http://127.0.0.1:${kernel.apiPort}`
  const { page, pageErrors } = await browse(t, { width: 1440, height: 900 })
  const [name = '', value = ''] = cookie.split('=')
  await page.context().addCookies([{ name, value, url: base }])
  return {
    page,
    pageErrors,
    base,
    printers,
    newcomer,
    sent,
    api: async (method, path, params) => {
      const query = method === 'GET' || method === 'DELETE' ? `?${new URLSearchParams(params as Record<string, string>)}` : ''
      const said = await ask(kernel, method, `/api/${path}${query}`, query === '' ? params : undefined, { cookie })
      if (said.status >= 400) throw new Error(`${method} ${path}: ${said.text}`)
      return said
    },
    printer: name => {
      const found = printers.find(printer => printer.name === name)
      if (!found) throw new Error(`there is no ${name}`)
      return found
    }
  }
}
