import { errorCode } from '../session/state/ams.js'
import { hex8 } from '../session/state/read.js'
import type { Fault } from '../session/state/types.js'
import { ACTIONS, RETRY_OR_CONFIRM, WITH_LIVE_VIEW, type FaultAction } from './actions.data.js'
import { OWN_TEXTS } from './texts.data.js'

export type { FaultAction } from './actions.data.js'

/** What is known of the numbers a printer reports. */
export interface FaultTexts {
  /** Text of a fault; `Unknown HMS Error` when nothing is known of it. */
  describe (fault: Pick<Fault, 'digits' | 'command'>): string
  /** Reason of a refusal in words, with the printer's own where there is no number. */
  explain (errorNumber: number, reason: string): string
  /** Buttons that the printer shows for an error. @param serial of the printer: they differ by model */
  actions (digits: string, serial: string): readonly FaultAction[]
  /** Where the vendor explains it. */
  url (fault: Pick<Fault, 'type' | 'digits'>): string
  /** Adds texts by their digits (16 or 8); they win over the built-in ones. */
  addTexts (texts: Readonly<Record<string, string>>): void
  /** Adds button ids by model prefix and digits. */
  addActions (prefix: string, actions: Readonly<Record<string, readonly number[]>>): void
}

const UNKNOWN = 'Unknown HMS Error'
const ERROR_CODE_PAGE = 'https://wiki.bambulab.com/en/hms/error-code'
const CODE_PAGE = 'https://e.bambulab.com/?e='
/** Other modules that may list a number whose own module does not. */
const FALLBACK_MODULES = ['03', '05', '07', '0B', '0C', '10', '12']

const RETRY = 10_002
const CONFIRM = 10_004
const LIVE_VIEW = 13

export function createFaultTexts (): FaultTexts {
  const texts = new Map(Object.entries(OWN_TEXTS))
  const buttons = new Map<string, readonly number[]>()

  function lookUp (digits: string): string | undefined {
    const own = texts.get(digits)
    if (own !== undefined || digits.length !== 8) return own
    return FALLBACK_MODULES.map(module => texts.get(module + digits.slice(2))).find(text => text !== undefined)
  }

  function buttonIds (digits: string, serial: string): readonly number[] {
    if (RETRY_OR_CONFIRM.has(digits)) return [RETRY, CONFIRM]
    const listed = buttons.get(serial.slice(0, 3) + digits) ?? []
    return WITH_LIVE_VIEW.has(digits) ? [...listed, LIVE_VIEW] : listed
  }

  return {
    describe: ({ digits, command }) => (digits === '' ? command?.reason : lookUp(digits)) || UNKNOWN,
    explain (errorNumber, reason) {
      if (errorNumber === 0) return reason === '' ? 'it gave no reason' : reason
      const known = lookUp(hex8(errorNumber))
      return `${known ?? (reason === '' ? UNKNOWN : reason)} (${errorCode(errorNumber)})`
    },
    actions: (digits, serial) => buttonIds(digits, serial)
      .map(id => ACTIONS.find(action => action.id === id))
      .filter(action => action !== undefined),
    url: ({ type, digits }) => type === 'device_hms' ? CODE_PAGE + digits : ERROR_CODE_PAGE,
    addTexts (more) { for (const [digits, text] of Object.entries(more)) texts.set(digits, text) },
    addActions (prefix, more) { for (const [digits, ids] of Object.entries(more)) buttons.set(prefix + digits, ids) }
  }
}
