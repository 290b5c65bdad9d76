import { readFile, stat } from 'node:fs/promises'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, type SecureContext } from 'node:tls'
import { Type, type Static } from 'typebox'
import { BadConfig, openJsonStore, privateFolder, readOwnText } from '../../core/index.js'
import {
  createAuthority, describeCertificate, issueCertificate, type Authority, type CertificateFacts, type Certified
} from './authority.js'
import { isPermitted } from './constraints.js'

const Stored = Type.Object({
  version: Type.Literal(1),
  key: Type.String(),
  certificate: Type.String(),
  names: Type.Array(Type.String())
})
const NONE: Static<typeof Stored> = { version: 1, key: '', certificate: '', names: [] }
const FILE = 'https-root.json'

const DAY_MS = 86_400_000
const RENEWED_BEFORE_MS = 30 * DAY_MS
/** A certificate of the user's own is read again after a change, at most this often. */
const LOOKED_AT_MS = 60_000
/** More addresses than a machine has; each connection can only name an address of this machine. */
const MOST_NAMES = 100

const plainAddress = (address: string): string =>
  address.toLowerCase().replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/, '')

/** The names of this machine: in full, and by multicast DNS. */
export function ownNames (machine = hostname()): string[] {
  const name = machine.toLowerCase().replaceAll(/[^a-z\d.-]/g, '-')
  const [first = ''] = name.split('.')
  return [...new Set([name, first, `${first}.local`])].filter(text => /^[a-z\d]/.test(text))
}

const ownAddresses = (): string[] => Object.values(networkInterfaces()).flat()
  .flatMap(found => found === undefined ? [] : [plainAddress(found.address)])

interface Files { readonly certificate: string, readonly key: string }

export interface CertificatesOptions {
  readonly dataDir: string
  /** Names by which others know this machine, beside its own. */
  readonly names: readonly string[]
  /** Files of a certificate of the user's own, PEM. */
  readonly files?: Files | undefined
  readonly now: () => number
  readonly warn: (message: string) => void
}

/** What a data folder holds, without making it. @returns undefined if there is none yet */
export async function storedRoot (dataDir: string) {
  const text = await readOwnText(join(dataDir, 'secrets', FILE))
  if (text === undefined) return undefined
  const { certificate } = JSON.parse(text) as Static<typeof Stored>
  return { certificate, ...describeCertificate(certificate) }
}

interface Shown extends Pick<CertificateFacts, 'validFrom' | 'validUntil'> {
  readonly value: SecureContext
  readonly names: readonly string[]
}

/** The certificate that the service shows, and the root that vouches for it. */
export class Certificates {
  readonly #options: CertificatesOptions
  #authority: Promise<Authority> | undefined
  #context: Shown | undefined
  #own: { readonly value: SecureContext, readonly changed: number, readonly until: number } | undefined
  #making: Promise<void> | undefined

  constructor (options: CertificatesOptions) { this.#options = options }

  get isOwn (): boolean { return this.#options.files !== undefined }

  /** The root of this data folder, made on first use. */
  authority (): Promise<Authority> {
    this.#authority ??= this.#open().catch((error: unknown) => {
      this.#authority = undefined
      throw error
    })
    return this.#authority
  }

  /** Names and addresses in the certificate, those first that people type. */
  async names (): Promise<string[]> {
    const { names } = await this.authority()
    const all = [...ownNames(), ...this.#options.names, 'localhost', ...ownAddresses()]
    return [...new Set(all)].filter(name => isPermitted(name, names)).slice(0, MOST_NAMES)
  }

  /** @param address of this machine that a client connected to; it may be new since the last connection */
  async contextFor (address: string): Promise<SecureContext> {
    if (this.#options.files !== undefined) return this.#ownContext(this.#options.files)
    const name = plainAddress(address)
    if (!this.#fits(name)) {
      this.#making ??= this.#issue().finally(() => { this.#making = undefined })
      await this.#making
    }
    return this.#context!.value
  }

  #fits (name: string): boolean {
    if (this.#context === undefined) return false
    const { names, validFrom, validUntil } = this.#context
    const now = this.#options.now() // the clock may have been ahead before
    if (now < validFrom || now > validUntil - RENEWED_BEFORE_MS) return false
    return names.includes(name) || !ownAddresses().includes(name)
  }

  async #issue (): Promise<void> {
    const authority = await this.authority()
    const names = await this.names()
    const leaf = await issueCertificate(authority, names, this.#options.now())
    // An address that is not permitted must not be tried again and again.
    const tried = [...names, ...ownAddresses()]
    this.#context = { ...describeCertificate(leaf.certificate), value: contextOf(leaf), names: tried }
  }

  async #open (): Promise<Authority> {
    const { dataDir, names, now, warn } = this.#options
    const path = join(await privateFolder(dataDir, 'secrets'), FILE)
    const store = await openJsonStore(path, { schema: Stored, initial: NONE, warn })
    const stored = store.get()
    if (stored.key !== '' && describeCertificate(stored.certificate).validUntil > now()) return stored
    const authority = await createAuthority(`prnd on ${hostname()}`, [...ownNames(), ...names], now())
    await store.set({ version: 1, ...authority, names: [...authority.names] })
    return authority
  }

  /** Read again when it was renewed, without a restart. */
  async #ownContext ({ certificate, key }: Files): Promise<SecureContext> {
    const now = this.#options.now()
    if (this.#own !== undefined && this.#own.until > now) return this.#own.value
    const until = now + LOOKED_AT_MS
    try {
      const changed = Math.max(...(await Promise.all([stat(certificate), stat(key)])).map(({ mtimeMs }) => mtimeMs))
      const value = this.#own?.changed === changed ? this.#own.value : contextOf(await readCertified(certificate, key))
      this.#own = { value, changed, until }
    } catch (error) {
      if (this.#own === undefined) throw error
      this.#options.warn(`the renewed certificate ${certificate} cannot be used: ${(error as Error).message}`)
      this.#own = { ...this.#own, until }
    }
    return this.#own.value
  }
}

const contextOf = ({ key, certificate }: Certified): SecureContext =>
  createSecureContext({ key, cert: certificate, minVersion: 'TLSv1.2' })

async function readCertified (certificate: string, key: string): Promise<Certified> {
  const [first, second] = await Promise.all([readFile(certificate, 'utf8'), readFile(key, 'utf8')])
  return { certificate: first, key: second }
}

/** @throws PRN_ERR_CONFIG for files that are missing, or do not belong together */
export async function checkFiles ({ certificate, key }: Files): Promise<void> {
  try {
    contextOf(await readCertified(certificate, key))
  } catch (error) {
    const { message } = error as Error
    throw new BadConfig(`plugins.https: the certificate ${certificate} with the key ${key} cannot be used: ${message}`)
  }
}
