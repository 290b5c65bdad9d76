import type { OpenIdTexts } from './texts/index.js'

type Reason = Exclude<keyof OpenIdTexts, 'button'>

const STATUS: Readonly<Record<Reason, number>> = {
  unreachable: 503,
  unusable: 502,
  stale: 400,
  denied: 403,
  noRole: 403,
  noName: 403,
  badName: 403,
  nameTaken: 403,
  full: 403
}

/** Why a login failed. A class, so that it can be found among the causes of the library's errors. */
export class LoginRefused extends Error {
  readonly status: number
  /** The user's name, if known. */
  who: string | undefined

  /** @param detail for the log and the audit log; the browser shows only the text of the reason */
  constructor (readonly reason: Reason, detail: string) {
    super(detail)
    this.status = STATUS[reason]
  }
}
