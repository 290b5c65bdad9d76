import { Type } from 'typebox'
import { openPrinterConfigStore, operation, PrinterClaimed } from '../../../core/index.js'
import { endSession } from '../end-session.js'
import { NotConfigured } from '../errors.js'
import { Name, Printer } from '../schemas.js'
import { checkName, checkNew } from '../verify-printer.js'

export const renameConfigured = operation({
  name: 'management.renameConfigured',
  summary: 'Change the name by which this service calls a printer',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  concerns: ({ name }) => name,
  note: ({ name, newName }) => `${name} is now ${newName}`,
  consequence: 'Past prints, spools and alerts stay under the old name. Waiting jobs, groups of the configuration file, rules, rights of users, ' +
    'whether the monitor watches it, and ' +
    'programs that name the printer must be changed. Its session restarts; a running print goes on.',
  input: Type.Object({ name: Name, newName: Name }),
  output: Printer,
  errors: [NotConfigured, PrinterClaimed],
  async run ({ kernel, services: { management }, log }, { name, newName }) {
    const { printers } = kernel
    if (name === newName) return { name }
    const isOtherCase = name.toLowerCase() === newName.toLowerCase()

    async function rename () {
      const config = printers.config(name)
      if (!config || config.virtual !== undefined) throw new NotConfigured(name)
      checkName(newName)
      if (!isOtherCase) checkNew(kernel, newName)
      const store = openPrinterConfigStore(kernel.configFile, kernel.dataDir, message => log.warn(message))
      await endSession(kernel, name)
      await store.rename(name, newName).catch(async error => {
        await printers.connect(name)
        throw error
      })
      printers.renameDefault(name, newName)
      await printers.remove(name)
      await printers.add({ ...config, accessCode: config.accessCode, name: newName })
      return { name: newName }
    }

    if (isOtherCase) return await management.inTurn(name, rename)
    // In one order, so that two calls never block each other.
    const [first = name, second = newName] = [name.toLowerCase(), newName.toLowerCase()].sort()
    return await management.inTurn(first, () => management.inTurn(second, rename))
  }
})
