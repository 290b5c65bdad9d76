import { Type } from 'typebox'
import { createKeyedQueue, isServiceError, operation, type DaemonContext } from '../../../core/index.js'
import { readPrinterList, type Listed } from '../printer-list.js'
import { addPrinter } from './credentials.js'

/** Some hundred printers; a longer text is no list of printers. */
const LONGEST_TEXT = 256 * 1024
/** Printers that are off each take some seconds. */
const AT_ONCE = 8

const Imported = Type.Object({
  name: Type.String(),
  outcome: Type.Enum(['added', 'added_offline', 'configured_already', 'refused']),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Such as `access_code_rejected`' }),
  message: Type.Union([Type.String(), Type.Null()])
}, { 'x-name': 'ImportedPrinter' })

async function importOne ({ kernel, caller, signal }: DaemonContext, printer: Listed) {
  const { name } = printer
  const isKnown = kernel.printers.names.some(known => known.toLowerCase() === name.toLowerCase() ||
    kernel.printers.config(known)?.serial === printer.serial.trim().toUpperCase())
  if (isKnown) return { name, outcome: 'configured_already' as const, problem: null, message: null }
  try {
    await kernel.call(addPrinter, { ...printer, onlyNew: true }, { caller, signal, surface: 'management' })
    return { name, outcome: 'added' as const, problem: null, message: null }
  } catch (error) {
    if (!isServiceError(error)) throw error
    const { code, message, extra: { problem = null } } = error
    const outcome = code === 'PRN_ERR_SAVED_OFFLINE' ? 'added_offline' as const : 'refused' as const
    return { name, outcome, problem: problem as string | null, message }
  }
}

export const importPrinters = operation({
  name: 'management.importPrinters',
  summary: 'Add all printers of a list or of a configuration file; configured ones stay as they are',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The access data of each printer of the list is stored, and a session with it begins.',
  input: Type.Object({
    text: Type.String({
      maxLength: LONGEST_TEXT, description: 'CSV with headings, a JSON array, or a configuration file with access codes'
    })
  }),
  output: Type.Object({ printers: Type.Array(Imported) }),
  async run (context, { text }) {
    const queue = createKeyedQueue<number>(AT_ONCE)
    const listed = readPrinterList(text, [])
    const outcomes = listed.map((printer, at) => queue.run(at, () => importOne(context, printer)))
    return { printers: await Promise.all(outcomes) }
  }
})
