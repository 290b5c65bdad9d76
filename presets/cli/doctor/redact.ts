import { homedir } from 'node:os'

const SHOWN = 4
const ADDRESS = '(address)'
/** Loopback addresses identify no one; masking them would only spoil advice that contains them. */
const OWN = /^(127\.\d+\.\d+\.\d+|::1)$/

/** The last four characters are enough to tell printers apart; the rest is masked. */
export const maskedSerial = (serial: string): string =>
  '*'.repeat(Math.max(0, serial.length - SHOWN)) + (serial.length > SHOWN ? serial.slice(-SHOWN) : '*')

/** Serial numbers as printers spell them, even of printers that are not configured. */
const SERIAL = /\b[0-9A-Z]{15}\b/g

export interface Private {
  readonly serials: readonly string[]
  /** Unmasked if empty. */
  readonly hosts: readonly string[]
  /** Masks codes and tokens. */
  readonly redact: (text: string) => string
}

/** Masks everything private in a text. */
export function redactReport ({ serials, hosts, redact }: Private): (text: string) => string {
  const known = [...serials].filter(serial => serial !== '').sort((a, b) => b.length - a.length)
  const places = [...hosts].filter(host => host !== '' && !OWN.test(host)).sort((a, b) => b.length - a.length)
  const home = homedir()
  return text => {
    let shown = redact(text)
    for (const serial of known) shown = shown.replaceAll(serial, maskedSerial(serial))
    shown = shown.replaceAll(SERIAL, maskedSerial)
    for (const host of places) shown = shown.replaceAll(host, ADDRESS)
    return home.length > 1 ? shown.replaceAll(home, '~') : shown
  }
}

/** Transforms every text in a document, at any depth. */
export function everyText<T> (value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T
  if (Array.isArray(value)) return value.map(item => everyText(item, change)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, everyText(item, change)])) as T
}
