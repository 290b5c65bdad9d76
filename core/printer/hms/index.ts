import { errorCode } from '../state/ams.js'
import { hex8 } from '../state/raw.js'
import type { Fault } from '../state/types.js'
import { ACTIONS, RETRY_OR_CONFIRM, WITH_LIVE_VIEW, type HmsAction } from './actions.data.js'
import { familyOf, fillIn, sentenceFromStructure } from './structure.js'
import { OWN_TEXTS } from './texts.data.js'

export type { HmsAction } from './actions.data.js'

/** Texts and buttons for the numbers that a printer reports. */
export interface HmsCatalogue {
  /**
   * Text of a fault; `Unknown HMS Error` for a number that no catalogue lists, `No description in the HMS catalogue`
   * for one that is listed without a text. For a refused command without a number, the reason that the printer gave.
   */
  describe (fault: Pick<Fault, 'digits' | 'command'>): string
  /**
   * The same, but for an unlisted number the printer's own text, else what its structure reveals: the reporting module
   * and the severity.
   */
  sentence (fault: Pick<Fault, 'digits' | 'command'>): string
  /** Reason of a refusal, with the printer's own text if there is no number. */
  explain (errorNumber: number, reason: string): string
  /** Buttons that the printer shows for an error. @param serial of the printer: they differ by model */
  actions (digits: string, serial: string): readonly HmsAction[]
  /** Link to the vendor's explanation. */
  url (fault: Pick<Fault, 'type' | 'digits'>): string
  /** Adds texts by their digits (16 or 8), which override the built-in ones. */
  addTexts (texts: Readonly<Record<string, string>>): void
  /** Adds button ids by model prefix and digits. */
  addActions (prefix: string, actions: Readonly<Record<string, readonly number[]>>): void
}

const UNKNOWN = 'Unknown HMS Error'
const WITHOUT_WORDS = 'No description in the HMS catalogue'
const ERROR_CODE_PAGE = 'https://wiki.bambulab.com/en/hms/error-code'
const CODE_PAGE = 'https://e.bambulab.com/?e='
/** Other modules that may list a number whose own module does not. */
const FALLBACK_MODULES = ['03', '05', '07', '0B', '0C', '10', '12']

const RETRY = 10_002
const CONFIRM = 10_004
const LIVE_VIEW = 13

export function createHmsCatalogue (): HmsCatalogue {
  const texts = new Map(Object.entries(OWN_TEXTS))
  const buttons = new Map<string, readonly number[]>()

  /** In a text for all units, the reported one is filled in. */
  function listed (digits: string): string | undefined {
    const text = texts.get(digits) ?? texts.get(familyOf(digits))
    return text === undefined ? undefined : fillIn(text, digits) || WITHOUT_WORDS
  }

  function lookUp (digits: string): string | undefined {
    const own = listed(digits)
    if (own !== undefined || digits.length !== 8) return own
    return FALLBACK_MODULES.map(module => listed(module + digits.slice(2))).find(text => text !== undefined)
  }

  const describe: HmsCatalogue['describe'] = ({ digits, command }) => {
    if (digits !== '' || command === undefined) return lookUp(digits) ?? UNKNOWN
    return command.reason || `The printer refused '${command.name}' and gave no reason`
  }

  function buttonIds (digits: string, serial: string): readonly number[] {
    if (RETRY_OR_CONFIRM.has(digits)) return [RETRY, CONFIRM]
    const listed = buttons.get(serial.slice(0, 3) + digits) ?? []
    return WITH_LIVE_VIEW.has(digits) ? [...listed, LIVE_VIEW] : listed
  }

  return {
    describe,
    sentence (fault) {
      const text = describe(fault)
      return text === UNKNOWN ? fault.command?.reason || (sentenceFromStructure(fault.digits) ?? UNKNOWN) : text
    },
    explain (errorNumber, reason) {
      if (errorNumber === 0) return reason === '' ? 'it gave no reason' : reason
      const digits = hex8(errorNumber)
      const words = lookUp(digits) ?? (reason || (sentenceFromStructure(digits) ?? UNKNOWN))
      return `${words} (${errorCode(errorNumber)})`
    },
    actions: (digits, serial) => buttonIds(digits, serial)
      .map(id => ACTIONS.find(action => action.id === id))
      .filter(action => action !== undefined),
    url: ({ type, digits }) => type === 'device_hms' ? CODE_PAGE + digits : ERROR_CODE_PAGE,
    addTexts (more) { for (const [digits, text] of Object.entries(more)) texts.set(digits, text) },
    addActions (prefix, more) { for (const [digits, ids] of Object.entries(more)) buttons.set(prefix + digits, ids) }
  }
}
