import { secretKey, type PrinterEntry } from './config.js'
import { editTree, readTree } from './config-file.js'
import { BadInput } from '../errors.js'
import { withFileLock } from '../util/file-lock.js'
import { editSecrets } from './secrets.js'

/** A stored printer: everything but its access code. */
export type StoredPrinter = Omit<PrinterEntry, 'accessCode'>

/**
 * Changes the configured printers: the configuration file, and the access codes in the secrets. Both files are read
 * again for each change, under a lock, and after a crash at any point every configured printer still has its code.
 */
export interface PrinterConfigStore {
  /**
   * Stores a printer, replacing one of the same name; omitted members keep their value.
   * @param accessCode its current code
   * @param keepReference preserves a reference to an environment variable or another file
   * @throws PRN_ERR_BAD_INPUT if the file has its serial number under another name, PRN_ERR_CONFIG for a file that
   * cannot be read; write errors
   */
  save (entry: StoredPrinter, accessCode: string, keepReference?: boolean): Promise<void>
  /** Renames a printer, also where it is the default one. A printer that the file does not list stays unknown to it. */
  rename (from: string, to: string): Promise<void>
  /** Removes a printer and its access code. */
  erase (name: string): Promise<void>
}

type Tree = Record<string, unknown>

const isNamed = (name: string) => (printer: Tree | null) =>
  typeof printer?.name === 'string' && printer.name.toLowerCase() === name.toLowerCase()

const isReference = (code: unknown) => typeof code === 'object' && code !== null

const printersOf = (tree: Tree | undefined): readonly Tree[] =>
  Array.isArray(tree?.printers) ? tree.printers as Tree[] : []

const keyOf = (printer: Tree | null | undefined) => typeof printer?.serial === 'string' ? secretKey(printer.serial) : undefined

/** The next start refuses such a file, which only the file can tell: it may have been edited since this start. */
function checkSerialFree (tree: Tree | undefined, { name, serial }: StoredPrinter): void {
  const isTaken = (printer: Tree) => keyOf(printer) === secretKey(serial) && !isNamed(name)(printer)
  const other = printersOf(tree).find(isTaken)?.name
  if (other === undefined) return
  throw new BadInput(`The configuration file has the printer with the serial number ${serial} as '${String(other)}'`)
    .with({ field: 'serial', problem: 'serial_taken', other })
}

/** The store of one configuration file and the secrets of one data folder. */
export function openPrinterConfigStore (configFile: string, dataDir: string,
  warn: (message: string) => void): PrinterConfigStore {
  const find = async (name: string) => printersOf(await readTree(configFile)).find(isNamed(name))

  const keep = (key: string, code: string) =>
    editSecrets(dataDir, configFile, warn, codes => codes[key] === code ? codes : { ...codes, [key]: code })

  /** Removes a code, unless a printer of the file still has that serial number. */
  async function drop (key: string | undefined): Promise<void> {
    if (key === undefined || printersOf(await readTree(configFile)).some(printer => keyOf(printer) === key)) return
    await editSecrets(dataDir, configFile, warn, codes => {
      const { [key]: dropped, ...others } = codes
      return dropped === undefined ? codes : others
    })
  }

  async function save (entry: StoredPrinter, accessCode: string, keepReference: boolean): Promise<void> {
    const file = await readTree(configFile)
    checkSerialFree(file, entry)
    const before = printersOf(file).find(isNamed(entry.name))
    const referred = keepReference && isReference(before?.accessCode)
    // The code first: a configured printer without one would prevent the next start.
    if (!referred) await keep(secretKey(entry.serial), accessCode)
    await editTree(configFile, tree => {
      const printers = tree.printers = [...printersOf(tree)]
      const at = printers.findIndex(isNamed(entry.name))
      const { accessCode: old, ...retained } = printers[at] ?? {}
      const ports = { ...retained.ports as Tree | undefined, ...entry.ports }
      printers[at < 0 ? printers.length : at] = {
        ...retained,
        ...entry,
        ...(Object.keys(ports).length > 0 && { ports }),
        ...(referred && { accessCode: old })
      }
    })
    await drop(keyOf(before))
  }

  const rename = (from: string, to: string) => editTree(configFile, tree => {
    const isIt = isNamed(from)
    tree.printers = printersOf(tree).map(printer => isIt(printer) ? { ...printer, name: to } : printer)
    if (isIt({ name: tree.defaultPrinter })) tree.defaultPrinter = to
  })

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
      withFileLock(configFile, () => save(entry, accessCode, keepReference)),
    rename: (from, to) => withFileLock(configFile, () => rename(from, to)),
    erase: name => withFileLock(configFile, () => erase(name))
  }
}

/**
 * Removes codes of printers that are no longer in their configuration file, as left by a crash. Codes that belong to
 * other or unknown configuration files stay.
 * @param used serial numbers of printers from other sources
 */
export const removeOrphanedCodes = (configFile: string, dataDir: string, used: readonly string[],
  warn: (message: string) => void): Promise<void> =>
  withFileLock(configFile, async () => {
    const tree = await readTree(configFile)
    if (tree === undefined) return // its printers are unknown
    const named = new Set([...used.map(secretKey), ...printersOf(tree).map(keyOf)])
    await editSecrets(dataDir, configFile, warn, (codes, configFiles) => {
      const retained = Object.entries(codes).filter(([key]) => named.has(key) || configFiles[key] !== configFile)
      return retained.length === Object.keys(codes).length ? codes : Object.fromEntries(retained)
    })
  })
