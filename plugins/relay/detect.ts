import type { FastifyBaseLogger } from 'fastify'
import {
  DETECT_LIMITS, openListener, openPlainListener, serveDetect, type DetectedPrinter, type Identity
} from '../printer-servers/index.js'
import { STANDARD, type PrinterOptions } from './options.js'

/** The open ports of the detect service. */
export interface DetectPorts {
  readonly detect?: number
  readonly detectTls?: number
}

/** The detect service of a relayed printer or group. */
export interface Detect {
  readonly ports: DetectPorts
  /** Why it does not answer on one of its ports. */
  readonly warnings: readonly string[]
  close (): Promise<void>
}

export interface DetectOptions {
  readonly log: FastifyBaseLogger
  readonly redact: (text: string) => string
  /** Name of the printer or the group. */
  readonly printer: string
  readonly bind: string
  readonly identity: Identity
  readonly wanted: NonNullable<PrinterOptions['ports']>
  readonly describe: () => DetectedPrinter
}

/**
 * The ports to open. Without a setting, none where slicers would not find the printer either: if an address has several
 * printers, the answer must not be that of another one than the printer at the usual port.
 */
export function detectPorts ({ mqtt = STANDARD.mqtt, detect, detectTls }: DetectOptions['wanted']): DetectPorts {
  const usual = mqtt === STANDARD.mqtt ? { detect: STANDARD.detect, detectTls: STANDARD.detectTls } : {}
  return { ...usual, ...(detect && { detect }), ...(detectTls && { detectTls }) }
}

/** Opens the ports that are free. Never fails, because slicers can be told the serial number instead. */
export async function openDetect (options: DetectOptions): Promise<Detect> {
  const { log, redact, printer, bind: host, identity, describe } = options
  const wanted = detectPorts(options.wanted)
  const serve = serveDetect(describe)
  const warnings: string[] = []
  const closers: (() => Promise<void>)[] = []

  async function open (port: number | undefined, isSecure: boolean): Promise<number | undefined> {
    if (port === undefined) return undefined
    const place = { host, port, limits: DETECT_LIMITS }
    try {
      const listener = await (isSecure ? openListener({ ...place, identity }, serve) : openPlainListener(place, serve))
      closers.push(() => listener.close())
      return listener.port
    } catch (error) {
      warnings.push(`slicers cannot ask on port ${port} which printer this is: ${redact((error as Error).message)}`)
      log.warn({ printer, bind: host, port, err: error }, `'${printer}' does not answer slicers on port ${port}`)
      return undefined
    }
  }

  const detect = await open(wanted.detect, false)
  const detectTls = await open(wanted.detectTls, true)
  return {
    ports: { ...(detect && { detect }), ...(detectTls && { detectTls }) },
    warnings,
    close: async () => { await Promise.all(closers.map(close => close())) }
  }
}
