import {
  DETECT_LIMITS, openListener, openPlainListener, serveDetect, type DetectedPrinter, type Identity, type Listener,
  type PlainListener
} from '../printer-servers/index.js'

/** 0 before the first start if any port may be used. */
export interface DetectPorts {
  readonly detect: number
  /** The same over TLS. */
  readonly detectTls: number
}

/** The detect service of a virtual printer. */
export interface Detect {
  readonly ports: DetectPorts
  open (identity: Identity): Promise<void>
  close (): Promise<void>
  present (identity: Identity): void
}

export interface DetectOptions {
  readonly host: string
  /** They stay the same across restarts. */
  readonly ports: DetectPorts
  readonly describe: () => DetectedPrinter
}

export function createDetect ({ host, describe, ...options }: DetectOptions): Detect {
  const serve = serveDetect(describe)
  let { ports } = options
  let plain: PlainListener | undefined
  let secure: Listener | undefined
  let opening: Promise<void> | undefined

  async function open (identity: Identity): Promise<void> {
    const place = { host, limits: DETECT_LIMITS }
    plain = await openPlainListener({ ...place, port: ports.detect }, serve)
    secure = await openListener({ ...place, port: ports.detectTls, identity }, serve)
    ports = { detect: plain.port, detectTls: secure.port }
  }

  return {
    get ports () { return ports },
    open (identity) {
      opening ??= open(identity)
      return opening
    },
    async close () {
      await opening?.catch(() => {})
      opening = undefined
      const closing = [plain, secure]
      plain = secure = undefined
      await Promise.all(closing.map(one => one?.close()))
    },
    present: identity => secure?.present(identity)
  }
}
