import { errorCode } from './ams.js'
import { isCancellation, isCancellationEcho, isRealError, repeatsCancellation, shortNumber } from './cancellation.js'
import type { Refusal } from './context.js'
import { hex8, int, list, type Raw } from './raw.js'
import type { Section } from './section.js'
import type { Errors, Fault, Severity } from './types.js'

export const errors: Section<Errors> = {
  fields: ['print_error', 'hms'],
  context: ['refusals', 'ignoredFaults', 'stopped', 'cancelMarks'],
  read: (raw, { context: { refusals, ignoredFaults, stopped, cancelMarks } }) => {
    const printError = int(raw.print_error) >>> 0
    const reported = [
      ...(isRealError(printError) ? [deviceError(printError)] : []),
      ...list(raw.hms).map(entry => deviceHms(entry, stopped || cancelMarks !== 0)).filter(fault => fault !== undefined)
    ]
    return {
      printError,
      faults: [
        ...reported.map((fault): Fault => ignoredFaults.includes(fault.code) ? { ...fault, ignored: true } : fault),
        ...refusals.map(commandError)
      ]
    }
  }
}

const MODULES: Readonly<Record<number, string>> = {
  0x03: 'Motion controller',
  0x05: 'Mainboard',
  0x07: 'AMS',
  0x08: 'Toolhead',
  0x0B: 'Camera',
  0x0C: 'Camera and lidar AI',
  0x10: 'Print task check',
  0x12: 'AMS Lite',
  0x18: 'AMS HT'
}

/** The module in a number's first byte. */
export const moduleName = (number: number): string => MODULES[(number >>> 24) & 0xFF] ?? 'System'

const HMS_SEVERITY: Readonly<Record<number, Severity>> = { 1: 'Fatal', 2: 'Error', 3: 'Warning', 4: 'Info' }
/** Class digit of an error number: the job was stopped, was paused, or continues. */
const ERROR_SEVERITY: Readonly<Record<number, Severity>> = { 4: 'Error', 8: 'Warning', 12: 'Info' }

const isCritical = (severity: Severity) => severity === 'Fatal' || severity === 'Error'

function deviceHms (entry: Raw, isCancelled: boolean): Fault | undefined {
  const attr = int(entry.attr) >>> 0
  const code = int(entry.code) >>> 0
  if (attr === 0) return undefined
  const digits = hex8(attr) + hex8(code)
  const isNoFault = repeatsCancellation(attr, code) || (isCancelled && isCancellationEcho(attr, code))
  const severity = isNoFault ? 'Info' : HMS_SEVERITY[code >>> 16] ?? 'Info'
  return {
    type: 'device_hms',
    code: `HMS_${digits.replace(/(.{4})(?=.)/g, '$1-')}`,
    digits,
    module: moduleName(attr),
    severity,
    critical: isCritical(severity)
  }
}

const errorSeverity = (number: number): Severity =>
  isCancellation(number) ? 'Info' : ERROR_SEVERITY[(number >>> 12) & 0xF] ?? 'Info'

function deviceError (number: number): Fault {
  const severity = errorSeverity(number)
  return {
    type: 'device_error',
    code: errorCode(number),
    digits: hex8(number),
    module: moduleName(number),
    severity,
    critical: isCritical(severity)
  }
}

function commandError ({ command, amsId, errorNumber, reason, at }: Refusal): Fault {
  const known = errorNumber !== 0
  // Without a number the severity is unknown: the printer continues, only the command was not carried out.
  const severity = known ? errorSeverity(errorNumber) : 'Warning'
  return {
    type: 'command_error',
    code: known ? errorCode(errorNumber) : '',
    digits: known ? hex8(errorNumber) : '',
    module: known ? moduleName(errorNumber) : 'System',
    severity,
    critical: isCritical(severity),
    command: { name: command, amsId, at, reason }
  }
}

/** A fault with its rank. */
export interface RankedFault {
  readonly fault: Fault
  /** By its place in the list. */
  readonly historical: boolean
  /** Not historical, and not only there because a person cancelled the job. */
  readonly active: boolean
}

/**
 * By place: with a `device_error`, that one and the first `device_hms` are not historical; without one, every
 * `device_hms` is. Refused commands are never historical. An ignored fault is historical, and the next entry takes its
 * place, so that it hides no other. The number of a cancelled job makes no entry active, which keeps its severity in
 * the list all the same: a printer that always lists one would fail with every stop.
 */
export function rankFaults (faults: readonly Fault[]): readonly RankedFault[] {
  const error = faults.find(({ type }) => type === 'device_error')
  const firstHms = faults.find(({ type, ignored }) => type === 'device_hms' && ignored !== true)
  const isCancelled = error !== undefined && isCancelledByPerson(error)
  return faults.map(fault => {
    const isHms = fault.type === 'device_hms'
    const historical = fault.ignored === true || (isHms && (error === undefined || fault !== firstHms))
    return { fault, historical, active: !historical && !(isHms && isCancelled) }
  })
}

/** The number of a job that a person cancelled. */
export const isCancelledByPerson = ({ type, digits }: Fault): boolean =>
  type === 'device_error' && isCancellation(Number.parseInt(digits, 16))

/** Without entries that only repeat the error number in the health list. */
export function distinctFaults (faults: readonly Fault[]): readonly Fault[] {
  const numbers = new Set(faults.flatMap(({ type, digits }) => type === 'device_error' ? Number.parseInt(digits, 16) : []))
  const isRepeated = ({ digits }: Fault) => numbers
    .has(shortNumber(Number.parseInt(digits.slice(0, 8), 16), Number.parseInt(digits.slice(8), 16)))
  return faults.filter(fault => fault.type !== 'device_hms' || !isRepeated(fault))
}

/** The active faults of the printer, in the order of {@link rankFaults}, without refused commands. */
export const activeFaults = (faults: readonly Fault[]): readonly Fault[] => rankFaults(faults)
  .filter(({ fault, active }) => active && fault.type !== 'command_error').map(({ fault }) => fault)
