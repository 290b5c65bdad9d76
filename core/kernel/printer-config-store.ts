import type { PrinterEntry } from './config.js'
import { editTree, readTree } from './config-file.js'
import { exclusively } from '../util/file-lock.js'
import { editSecrets, secretKey } from './secrets.js'

/** A printer as it is written down: everything but its access code. */
export type StoredPrinter = Omit<PrinterEntry, 'accessCode'>

/**
 * Changes which printers are configured: the file without access codes, the codes in the secrets. Both files are
 * read anew for each change, while no other process changes them, and after a crash in the middle every configured
 * printer still has its code.
 */
export interface PrinterConfigStore {
  /**
   * Stores a printer, in place of one of the same name; what the entry leaves out is kept.
   * @param accessCode its code as it holds from now on
   * @param keepReference leaves a code alone that the file takes from the environment or another file
   * @throws PRN_ERR_CONFIG for a file that cannot be read; what writing throws
   */
  save (entry: StoredPrinter, accessCode: string, keepReference?: boolean): Promise<void>
  /** Erases a printer and its access code. */
  erase (name: string): Promise<void>
}

type Tree = Record<string, unknown>

const isNamed = (name: string) => (printer: Tree | null) =>
  typeof printer?.name === 'string' && printer.name.toLowerCase() === name.toLowerCase()

const isReference = (code: unknown) => typeof code === 'object' && code !== null

const printersOf = (tree: Tree | undefined): readonly Tree[] =>
  Array.isArray(tree?.printers) ? tree.printers as Tree[] : []

const keyOf = (printer: Tree | null | undefined) => typeof printer?.serial === 'string' ? secretKey(printer.serial) : undefined

/** The book of one configuration file and the secrets of one data folder. */
export function openPrinterConfigStore (configFile: string, dataDir: string,
  warn: (message: string) => void): PrinterConfigStore {
  const find = async (name: string) => printersOf(await readTree(configFile)).find(isNamed(name))

  const keep = (key: string, code: string) =>
    editSecrets(dataDir, configFile, warn, codes => codes[key] === code ? codes : { ...codes, [key]: code })

  /** Drops a code, unless a printer of the file still has that serial number. */
  async function drop (key: string | undefined): Promise<void> {
    if (key === undefined || printersOf(await readTree(configFile)).some(printer => keyOf(printer) === key)) return
    await editSecrets(dataDir, configFile, warn, codes => {
      const { [key]: dropped, ...others } = codes
      return dropped === undefined ? codes : others
    })
  }

  async function save (entry: StoredPrinter, accessCode: string, keepReference: boolean): Promise<void> {
    const before = await find(entry.name)
    const referred = keepReference && isReference(before?.accessCode)
    // The code first: a configured printer without one would stop the next start.
    if (!referred) await keep(secretKey(entry.serial), accessCode)
    await editTree(configFile, tree => {
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
    await editTree(configFile, tree => {
      tree.printers = printersOf(tree).filter(printer => !isNamed(name)(printer))
    })
    await drop(keyOf(before))
  }

  return {
    save: (entry, accessCode, keepReference = false) =>
      exclusively(configFile, () => save(entry, accessCode, keepReference)),
    erase: name => exclusively(configFile, () => erase(name))
  }
}

/**
 * Removes the codes that were stored for printers of a configuration file and that none there has any more: a crash
 * while a printer was stored or erased leaves such. Those of other files, and those of unknown ones, stay.
 * @param used serial numbers that the service has been given otherwise
 */
export const removeOrphanedCodes = (configFile: string, dataDir: string, used: readonly string[],
  warn: (message: string) => void): Promise<void> =>
  exclusively(configFile, async () => {
    const tree = await readTree(configFile)
    if (tree === undefined) return // nothing is known of its printers
    const named = new Set([...used.map(secretKey), ...printersOf(tree).map(keyOf)])
    await editSecrets(dataDir, configFile, warn, (codes, configFiles) => {
      const kept = Object.entries(codes).filter(([key]) => named.has(key) || configFiles[key] !== configFile)
      return kept.length === Object.keys(codes).length ? codes : Object.fromEntries(kept)
    })
  })
