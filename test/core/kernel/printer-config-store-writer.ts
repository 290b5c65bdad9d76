// Changes printers until a test kills it.
import { openPrinterConfigStore } from '../../../core/kernel/printer-config-store.js'

const [configFile = '', dataDir = ''] = process.argv.slice(2)
const book = openPrinterConfigStore(configFile, dataDir, message => { process.stdout.write(`${message}\n`) })
// An earlier writer was killed anywhere: the serial numbers must be free.
for (const at of [0, 1, 2]) await book.erase(`p${at}`)
const endAt = Date.now() + 60_000 // should the test be gone
for (let at = 1; Date.now() < endAt; at++) {
  const serial = `S${at % 7}`
  await book.save({ name: `p${at % 3}`, host: '127.0.0.1', serial }, `code-of-${serial}`)
  if (at % 5 === 0) await book.erase(`p${at % 3}`)
}
