import { redacted } from './error-text.js'

/** What a person is asked to agree to. */
export interface Act {
  readonly tool: string
  readonly title: string
  readonly consequence: string
  /** Without secrets, as they are shown. */
  readonly args: Readonly<Record<string, unknown>>
}

/** What came of asking: `unasked` when the client did not put the question. */
export type Consent = 'agreed' | 'declined' | 'unasked'

export type AskConsent = (act: Act) => Promise<Consent>

/** More of what an agent wrote says no more to whoever is asked. */
const MOST_CHARS = 600

/** The question as a form: accepting it without the tick is no consent. Source: the protocol, "Elicitation". */
export function consentForm ({ tool, title, consequence, args }: Act) {
  const given = JSON.stringify(args)
  const shown = given.length > MOST_CHARS ? `${given.slice(0, MOST_CHARS)}…` : given
  return {
    mode: 'form' as const,
    message: `${title}: ${consequence}\n${tool} ${shown}`,
    requestedSchema: {
      type: 'object' as const,
      properties: { agree: { type: 'boolean' as const, title: 'I agree', default: false } },
      required: ['agree']
    }
  }
}

/** @param response what the client brought back from the person */
export function consentIn (response: unknown): 'agreed' | 'declined' {
  const { action, content } = (response ?? {}) as { action?: unknown, content?: { agree?: unknown } | null }
  return action === 'accept' && content?.agree === true ? 'agreed' : 'declined'
}

/** Clients that were there before forms had modes say no more than that they can ask. */
export function canAsk (capabilities: { readonly elicitation?: object | undefined }): boolean {
  const { elicitation } = capabilities
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}

/** Sentences before the consequence of an act that was not allowed. */
export const NO_PERMISSION = 'Error: user_permission must be True to perform this action.'
export const DECLINED = 'Error: the user was asked and did not agree.'

interface Asking {
  readonly askConsent: AskConsent | undefined
  readonly redact: (text: string) => string
}
interface Titled { readonly title: string, readonly definition: { readonly name: string } }
type Arguments = Readonly<Record<string, unknown>>

/** Asks for a call that came without permission; what the caller said of permission is not part of the question. */
export async function consentTo ({ title, definition: { name } }: Titled, consequence: string,
  { user_permission: _, ...args }: Arguments, { askConsent, redact }: Asking): Promise<Consent> {
  return await askConsent?.({ tool: name, title, consequence, args: redacted(args, redact) }) ?? 'unasked'
}
