import type { Json } from '../json-merge.js'
import { createFtpServer, type FtpServer, type Identity } from '../../printer-servers/index.js'
import type { JobPlan } from '../machine/types.js'
import type { Traits } from '../models/traits.js'
import { createCard, type VirtualCard, type VirtualCardOptions } from './card.js'
import { profileOf } from './profile.js'
import { FILE_ERROR, sampleFiles } from '../sample-sd-card/index.js'

export type { VirtualCard, VirtualCardOptions } from './card.js'
export type { FtpFault } from '../../printer-servers/index.js'

/** Says what an archive's plate would do when printed. */
export type ReadJob = (archive: Buffer, plate: number) => JobPlan | undefined | Promise<JobPlan | undefined>

/** Card and card server of a virtual printer. */
export interface CardPart {
  readonly card: VirtualCard
  /** 0 before the first start if any port may be used. */
  readonly port: number
  /** What a file on the card would do when printed; undefined when it is missing or cannot be read. */
  jobOf (path: string, plate: number): Promise<JobPlan | undefined>
  /** The same for a command to print, whose address is `ftp:///cache/a.3mf`, `file:///sdcard/cache/a.3mf` or alike. */
  resolveJob (body: Readonly<Json>): Promise<JobPlan | undefined>
  open (identity: Identity): Promise<void>
  close (): Promise<void>
  present (identity: Identity): void
  drop (): void
}

export interface CardPartOptions {
  readonly traits: Traits
  readonly host: string
  readonly port: number
  readonly card: VirtualCardOptions
  readonly readJob: ReadJob | undefined
  readonly admits: (user: string, password: string) => boolean
  /** Called when the card is inserted or removed. */
  readonly onChange: (present: boolean) => void
}

const STORAGE = /^(\/mnt\/sdcard|\/sdcard|\/media\/usb0)(?=\/)/
const PLATE = /plate_(\d+)\.gcode$/
const MARKER_BYTES = 16

/** Paths that an address may mean: literally, and decoded. */
function pathsOf (url: string): string[] {
  const path = `/${url.replace(/^[a-z]+:\/\//i, '').replace(/^\/+/, '')}`.replace(STORAGE, '')
  try {
    return [path, decodeURIComponent(path)]
  } catch {
    return [path]
  }
}

export function createCardPart (options: CardPartOptions): CardPart {
  const { traits, host, admits, readJob } = options
  const card = createCard(options.card, Date.now, options.onChange)
  const profile = profileOf(traits, card.ranges)
  let { port } = options
  let server: FtpServer | undefined
  let isFurnished = false

  /** Creates the folders that a printer makes on a card. A folder of the host is left unchanged. */
  async function furnish (): Promise<void> {
    if (isFurnished || options.card.folder !== undefined) return
    isFurnished = true
    for (const folder of profile.folders) await card.makeFolder(folder)
    if (profile.marker) await card.put('/verify_job', new Uint8Array(MARKER_BYTES))
    if (!options.card.samples) return
    for (const { path, content, modifiedAt } of sampleFiles(traits)) await card.put(path, content, modifiedAt)
  }

  async function jobOf (path: string, plate: number): Promise<JobPlan | undefined> {
    const archive = card.present && readJob !== undefined ? await card.get(path) : undefined
    return archive && await readJob?.(archive, plate)
  }

  return {
    card,
    get port () { return port },
    jobOf,
    async resolveJob (body) {
      const plate = Number(PLATE.exec(String(body.param))?.[1])
      for (const path of pathsOf(String(body.url))) {
        const plan = await jobOf(path, plate)
        if (plan !== undefined) return plan
      }
      // Without a reader the job is unknown; with one the file is missing.
      return readJob && { failure: FILE_ERROR.MISSING }
    },
    async open (identity) {
      await furnish()
      server = await createFtpServer({
        host,
        port,
        identity,
        profile,
        now: Date.now,
        faults: card.faults,
        admit: ({ username, password }) => admits(username ?? '', password ?? '') ? card : undefined
      })
      port = server.port
    },
    async close () {
      const closing = server
      server = undefined
      await closing?.close()
    },
    present: identity => server?.present(identity),
    drop: () => server?.drop()
  }
}
