import type { PrinterEntry } from './config.js'
import { editConfig, readTree } from './config-file.js'
import { openSecrets, secretKey } from './secrets.js'

/** A printer as it is written down: everything but its access code. */
export type BookEntry = Omit<PrinterEntry, 'accessCode'>

/**
 * Changes which printers are configured: the file without access codes, the codes in the secrets. Both files are
 * read anew for each change, and after a crash in the middle every configured printer still has its code.
 */
export interface PrinterBook {
  /**
   * Stores a printer, in place of one of the same name; what the entry leaves out is kept.
   * @param accessCode its code as it holds from now on
   * @param keepReference leaves a code alone that the file takes from the environment or another file
   * @throws PRN_ERR_CONFIG for a file that cannot be read; what writing throws
   */
  save (entry: BookEntry, accessCode: string, keepReference?: boolean): Promise<void>
  /** Erases a printer and its access code. */
  erase (name: string): Promise<void>
}

type Tree = Record<string, unknown>

const isNamed = (name: string) => (printer: Tree) =>
  typeof printer.name === 'string' && printer.name.toLowerCase() === name.toLowerCase()

const isReference = (code: unknown) => typeof code === 'object' && code !== null

const printersOf = (tree: Tree | undefined): readonly Tree[] =>
  Array.isArray(tree?.printers) ? tree.printers as Tree[] : []

const keyOf = (printer: Tree | undefined) => typeof printer?.serial === 'string' ? secretKey(printer.serial) : undefined

/** Changes of one file take turns: each sees what the one before it wrote. */
const turns = new Map<string, Promise<unknown>>()

function inTurn<T> (path: string, work: () => Promise<T>): Promise<T> {
  const turn = (turns.get(path) ?? Promise.resolve()).then(work)
  turns.set(path, turn.catch(() => {}))
  return turn
}

/** The book of one configuration file and the secrets of one data folder. */
export function openPrinterBook (configFile: string, dataDir: string, warn: (message: string) => void): PrinterBook {
  const find = async (name: string) => printersOf(await readTree(configFile)).find(isNamed(name))

  async function keep (key: string, code: string): Promise<void> {
    const secrets = await openSecrets(dataDir, warn)
    const { accessCodes } = secrets.get()
    if (accessCodes[key] !== code) await secrets.set({ version: 1, accessCodes: { ...accessCodes, [key]: code } })
  }

  /** Drops a code, unless a printer of the file still has that serial number. */
  async function drop (key: string | undefined): Promise<void> {
    if (key === undefined || printersOf(await readTree(configFile)).some(printer => keyOf(printer) === key)) return
    const secrets = await openSecrets(dataDir, warn)
    const { [key]: dropped, ...accessCodes } = secrets.get().accessCodes
    if (dropped !== undefined) await secrets.set({ version: 1, accessCodes })
  }

  async function save (entry: BookEntry, accessCode: string, keepReference: boolean): Promise<void> {
    const before = await find(entry.name)
    const referred = keepReference && isReference(before?.accessCode)
    // The code first: a configured printer without one would stop the next start.
    if (!referred) await keep(secretKey(entry.serial), accessCode)
    await editConfig(configFile, tree => {
      const printers = tree.printers = [...printersOf(tree)]
      const at = printers.findIndex(isNamed(entry.name))
      const { accessCode: old, ...kept } = printers[at] ?? {}
      const ports = { ...kept.ports as Tree | undefined, ...entry.ports }
      printers[at < 0 ? printers.length : at] = {
        ...kept,
        ...entry,
        ...(Object.keys(ports).length > 0 && { ports }),
        ...(referred && { accessCode: old })
      }
    })
    await drop(keyOf(before))
  }

  async function erase (name: string): Promise<void> {
    const before = await find(name)
    if (before === undefined) return
    await editConfig(configFile, tree => {
      tree.printers = printersOf(tree).filter(printer => !isNamed(name)(printer))
    })
    await drop(keyOf(before))
  }

  return {
    save: (entry, accessCode, keepReference = false) =>
      inTurn(configFile, () => save(entry, accessCode, keepReference)),
    erase: name => inTurn(configFile, () => erase(name))
  }
}
