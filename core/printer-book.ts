import type { PrinterEntry } from './config.js'
import { editConfig } from './config-file.js'
import { secretKey, type Secrets } from './secrets.js'

/** Changes which printers are configured: the file without access codes, the codes in the secrets. */
export interface PrinterBook {
  /** Stores a printer, in place of one of the same name; what the entry leaves out is kept. */
  save (entry: PrinterEntry & { readonly accessCode: string }): Promise<void>
  /** Erases a printer and its access code. */
  erase (name: string, serial: string): Promise<void>
}

type Tree = Record<string, unknown>

const isNamed = (name: string) => (printer: Tree) =>
  typeof printer.name === 'string' && printer.name.toLowerCase() === name.toLowerCase()

export function createPrinterBook (configFile: string, secrets: Secrets): PrinterBook {
  const printersOf = (tree: Tree) => (tree.printers ??= []) as Tree[]

  return {
    async save ({ accessCode, ...entry }) {
      // The code first: a configured printer without one would stop the next start.
      const { accessCodes } = secrets.get()
      await secrets.set({ version: 1, accessCodes: { ...accessCodes, [secretKey(entry.serial)]: accessCode } })
      await editConfig(configFile, tree => {
        const printers = printersOf(tree)
        const at = printers.findIndex(isNamed(entry.name))
        const { accessCode: _old, ...kept } = printers[at] ?? {}
        printers[at < 0 ? printers.length : at] = { ...kept, ...entry }
      })
    },
    async erase (name, serial) {
      await editConfig(configFile, tree => {
        tree.printers = printersOf(tree).filter(printer => !isNamed(name)(printer))
      })
      const { [secretKey(serial)]: _gone, ...accessCodes } = secrets.get().accessCodes
      await secrets.set({ version: 1, accessCodes })
    }
  }
}
