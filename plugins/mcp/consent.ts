import { redacted } from './error-text.js'

/** The action that the user is asked to approve. */
export interface Act {
  readonly tool: string
  readonly title: string
  readonly consequence: string
  /** Secrets are masked. */
  readonly args: Readonly<Record<string, unknown>>
}

/** `unasked`: the client did not put the question to its user. */
export type Consent = 'agreed' | 'declined' | 'unasked'

export type AskConsent = (act: Act) => Promise<Consent>

/** A user does not read more of what an agent wrote. */
const MOST_CHARS = 600
/** Of a longer text the end is shown too, since an agent decides what stands there. */
const END_CHARS = 200

function shortened (text: string): string {
  const hidden = text.length - MOST_CHARS
  if (hidden <= 0) return text
  const [begin, end] = [text.slice(0, MOST_CHARS - END_CHARS), text.slice(-END_CHARS)]
  return `${begin}…\n${hidden} more characters are not shown here; agree only if you know them.\n…${end}`
}

/** The question as a form: submitting it without a tick is not consent. Source: the protocol, "Elicitation". */
export function consentForm ({ tool, title, consequence, args }: Act) {
  return {
    mode: 'form' as const,
    message: `${title}: ${consequence}\n${tool} ${shortened(JSON.stringify(args))}`,
    requestedSchema: {
      type: 'object' as const,
      properties: { agree: { type: 'boolean' as const, title: 'I agree', default: false } },
      required: ['agree']
    }
  }
}

/** @param response the client's answer to the form */
export function consentIn (response: unknown): 'agreed' | 'declined' {
  const { action, content } = (response ?? {}) as { action?: unknown, content?: { agree?: unknown } | null }
  return action === 'accept' && content?.agree === true ? 'agreed' : 'declined'
}

/** Clients from before the form mode was introduced declare `elicitation` without a mode. */
export function canAsk (capabilities: { readonly elicitation?: object | undefined }): boolean {
  const { elicitation } = capabilities
  return elicitation !== undefined && ('form' in elicitation || !('url' in elicitation))
}

/** Precede the consequence of an action that was not allowed. */
export const NO_PERMISSION = 'Error: user_permission must be True to perform this action.'
export const DECLINED = 'Error: the user was asked and did not agree.'

interface Asking {
  readonly askConsent: AskConsent | undefined
  readonly redact: (text: string) => string
}
interface Titled { readonly title: string, readonly definition: { readonly name: string } }
type Arguments = Readonly<Record<string, unknown>>

/** Asks about a call without permission; the `user_permission` argument is not shown in the question. */
export async function consentTo ({ title, definition: { name } }: Titled, consequence: string,
  { user_permission: _, ...args }: Arguments, { askConsent, redact }: Asking): Promise<Consent> {
  return await askConsent?.({ tool: name, title, consequence, args: redacted(args, redact) }) ?? 'unasked'
}
