import type { OpenIdTexts } from './texts.data.js'

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

/** Why nobody was let in. A class, so that it is found below the errors of the library. */
export class LoginRefused extends Error {
  readonly status: number
  /** The name, where it is known. */
  who: string | undefined

  /** @param detail for the log and the record; the browser is only told the text of the reason */
  constructor (readonly reason: Reason, detail: string) {
    super(detail)
    this.status = STATUS[reason]
  }
}
