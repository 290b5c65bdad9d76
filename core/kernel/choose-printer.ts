import type { PrinterSession } from '../printer/types.js'

/** How the default printer was chosen; `none` if no printer is connected. */
export type DefaultSource = 'explicit' | 'env_var' | 'first_connected' | 'none'

/** A printer by name, and how it was chosen; undefined if there is none to choose. */
export interface ChosenPrinter { readonly printer: string | undefined, readonly source: DefaultSource }

/**
 * The named printer, else the configured default, else the first connected one. If none is connected, the source is
 * `none`, and the printer is one whose session is paused, else the first with a session.
 * @param sessions only read if neither a name nor the configuration decides
 */
export function choosePrinter (name: string | undefined, configured: string | undefined,
  sessions: () => readonly PrinterSession[]): ChosenPrinter {
  if (name !== undefined && name !== '') return { printer: name, source: 'explicit' }
  if (configured !== undefined) return { printer: configured, source: 'env_var' }
  const present = sessions()
  const connected = present.find(({ service }) => service === 'CONNECTED')
  if (connected !== undefined) return { printer: connected.name, source: 'first_connected' }
  return { printer: (present.find(({ service }) => service === 'PAUSED') ?? present[0])?.name, source: 'none' }
}

/** A longer list would not help to find a mistyped name. */
const MOST_NAMED = 20

/** Why there is no session, with the known names. */
export function whyAbsent (name: string | undefined, names: readonly string[]): string {
  if (name !== undefined && names.includes(name)) {
    return `'${name}' is configured, but has no session: the tool start_printer starts one.`
  }
  const named = names.slice(0, MOST_NAMED).map(known => `'${known}'`).join(', ')
  const known = `${named}${names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''}`
  if (name === undefined) return `No printer has a session. Configured: ${known}.`
  return `No printer of that name is configured. ${names.length === 0 ? 'There is none yet.' : `Configured: ${known}.`}`
}
