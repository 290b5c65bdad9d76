export type TlsVersion = 'TLSv1.2' | 'TLSv1.3'

/** Observed properties of a printer's FTP server, remembered for the session. */
export interface ServerQuirks {
  /** Newest TLS version that is offered. */
  maxVersion: TlsVersion
  /** It supports AVBL (free space); undefined before the first try. */
  supportsAvbl: boolean | undefined
  /** It supports `LIST -a` (names that begin with a dot); how smaller servers treat it is unknown. */
  readonly listsHidden: boolean
  /** Transfers are unencrypted. The control connection never is. */
  readonly isPlain: boolean
  /** The server's greeting. */
  greeted (text: string): void
  /** An operation starts. */
  begin (): void
  /** A data connection was opened for it. */
  dataOpened (): void
  done (): void
  failed (error: unknown): void
  /** The server refused unencrypted transfers. */
  plainRefused (): void
}

export interface ServerQuirksOptions {
  readonly maxVersion: TlsVersion
  /** Whether unencrypted transfers may be tried. */
  readonly mayBePlain: () => boolean
  /** Called when they work where encrypted ones stalled. */
  readonly onPlain: () => void
}

const isTimeout = (error: unknown): boolean => error instanceof Error && /^Timeout \(/.test(error.message)

/**
 * Some firmware of the small server (A1, P1) never completes an encrypted transfer. After one that stalled, the next
 * attempt is unencrypted; only if that helps are the following ones too. vsftpd, on other models, has no such defect.
 */
export function createServerQuirks ({ maxVersion, mayBePlain, onPlain }: ServerQuirksOptions): ServerQuirks {
  let data: 'encrypted' | 'trying' | 'plain' | 'settled' = 'encrypted'
  let isVsftpd = true
  let hasData = false
  return {
    maxVersion,
    supportsAvbl: undefined,
    get listsHidden () { return isVsftpd },
    get isPlain () { return data === 'trying' || data === 'plain' },
    greeted (text) { isVsftpd = /vsftpd/i.test(text) },
    begin () { hasData = false },
    dataOpened () { hasData = true },
    done () {
      if (data !== 'trying' || !hasData) return
      data = 'plain'
      onPlain()
    },
    failed (error) {
      if (!hasData || !isTimeout(error)) return
      if (data === 'trying') data = 'settled'
      else if (data === 'encrypted' && !isVsftpd && mayBePlain()) data = 'trying'
    },
    plainRefused () { data = 'settled' }
  }
}
