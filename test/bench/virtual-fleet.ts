// Virtual printers in a process of their own; says where they are, and on request how much they have sent.
import { startFleet, type ModelName } from '../../plugins/emulator/index.js'

const [count = '1', active = 'idle'] = process.argv.slice(2)
const MODELS: readonly ModelName[] = ['A1_MINI', 'P1S', 'X1C', 'H2D']
const fleet = await startFleet({ models: MODELS, count: Number(count) })
if (active === 'printing') for (const printer of fleet.printers) printer.startJob({ name: 'bench', layers: 400, minutes: 600 })
process.send?.({
  printers: fleet.printers.map(({ name, host, serial, accessCode, fingerprint, ports }) =>
    ({ name, host, serial, accessCode, ports: { mqtt: ports.mqtt }, tls: { mode: 'pin', fingerprint } }))
})
/** What a printer reports from now on. Answered with the time of it, ms since the epoch. */
process.on('message', ({ at, fields }: { at: number, fields: Record<string, unknown> }) => {
  const reported = Date.now()
  fleet.printers[at]?.patch(fields as never)
  process.send?.(reported)
})
