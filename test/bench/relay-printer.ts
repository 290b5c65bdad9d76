// One virtual printer in a process of its own; says where it is, and reports what it is told to report.
import { createVirtualPrinter } from '../../plugins/emulator/index.js'

const printer = createVirtualPrinter({ model: 'P1S', name: 'bench', sdCard: { capacity: 4 * 1024 ** 3 } })
await printer.start()
const { name, host, serial, accessCode, fingerprint, ports } = printer
process.send?.({ name, host, serial, accessCode, ports, tls: { mode: 'pin', fingerprint } })
process.on('message', (fields: Record<string, unknown>) => { printer.patch(fields as never) })
