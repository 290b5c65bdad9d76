export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** What is found out about the server of one card, for as long as the session lives. */
export interface ServerQuirks {
  /** Newest version that is offered. */
  maxVersion: TlsVersion
  /** It answers questions for its free space; undefined before the first one. */
  tellsSpace: boolean | undefined
  /** It lists names that begin with a dot when asked with `-a`; what smaller servers make of that is not known. */
  readonly listsHidden: boolean
  /** Transfers go unencrypted. The control connection never does. */
  readonly isPlain: boolean
  /** What the server said first. */
  welcomed (text: string): void
  /** Something is about to be done. */
  begin (): void
  /** A data connection was opened for it. */
  moves (): void
  done (): void
  failed (error: unknown): void
  /** The server wants no unencrypted transfers. */
  plainRefused (): void
}

export interface ServerQuirksOptions {
  readonly maxVersion: TlsVersion
  /** Unencrypted transfers may be tried. */
  readonly mayBePlain: () => boolean
  /** They were tried and work where encrypted ones stood still. */
  readonly onPlain: () => void
}

const isTimeout = (error: unknown): boolean => error instanceof Error && /^Timeout \(/.test(error.message)

/**
 * Some firmware of the small server never ends an encrypted transfer. After one that stood still the next attempt
 * goes unencrypted; only when that helps does it stay so. The large server has no such fault.
 */
export function createServerQuirks ({ maxVersion, mayBePlain, onPlain }: ServerQuirksOptions): ServerQuirks {
  let data: 'encrypted' | 'trying' | 'plain' | 'settled' = 'encrypted'
  let isLarge = true
  let isMoving = false
  return {
    maxVersion,
    tellsSpace: undefined,
    get listsHidden () { return isLarge },
    get isPlain () { return data === 'trying' || data === 'plain' },
    welcomed (text) { isLarge = /vsftpd/i.test(text) },
    begin () { isMoving = false },
    moves () { isMoving = true },
    done () {
      if (data !== 'trying' || !isMoving) return
      data = 'plain'
      onPlain()
    },
    failed (error) {
      if (!isMoving || !isTimeout(error)) return
      if (data === 'trying') data = 'settled'
      else if (data === 'encrypted' && !isLarge && mayBePlain()) data = 'trying'
    },
    plainRefused () { data = 'settled' }
  }
}
