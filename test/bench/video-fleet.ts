// Virtual printers with H.264 cameras that print, in a process of their own; says where they are. Argument: how many.
import { startFleet } from '../../plugins/emulator/index.js'

const [count = '1'] = process.argv.slice(2)
const fleet = await startFleet({ models: ['X1C'], count: Number(count) })
for (const printer of fleet.printers) printer.startJob({ name: 'bench', layers: 400, minutes: 600 })
process.send?.({
  printers: fleet.printers.map(({ name, host, serial, accessCode, fingerprint, ports }) =>
    ({ name, host, serial, accessCode, ports: { mqtt: ports.mqtt, rtsps: ports.rtsps }, tls: { mode: 'pin', fingerprint } }))
})
