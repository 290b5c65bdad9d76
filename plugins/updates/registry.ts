import { Type, type Static } from 'typebox'
import { BadConfig, isNewer, isPrerelease, timeoutSignal, validationError, versionIn } from '../../core/index.js'

const WITHIN_MS = 10_000
const MOST_BYTES = 256 * 1024
/** An answer of a few hundred bytes; the description of all versions has megabytes. */
const PATH = '-/package/prnd/dist-tags'

const HERE: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const Tags = Type.Record(Type.String(), Type.String())

/** The newest versions that a registry offers. */
export interface Released {
  /** Null: none yet. */
  readonly stable: string | null
  /** The newest of those for trying, such as `2.2.0-beta.1`. */
  readonly preview: string | null
}

/** The address of a registry. @throws PRN_ERR_CONFIG */
export function registryAt (text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const refuse = (what: string) => new BadConfig(`plugins.updates.registry: ${what}`)
  if (url === undefined) throw refuse('it is no address')
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && HERE.has(url.hostname))
  if (!isSafe) throw refuse('it begins with https://, unless the registry is on this machine')
  if (url.username !== '' || url.password !== '') throw refuse('it has no name and password, as it is shown on a page')
  if (url.search !== '' || url.hash !== '') throw refuse('it ends with its path')
  return new URL(url.pathname.endsWith('/') ? url.href : `${url.href}/`)
}

const newest = (versions: readonly string[]): string | null =>
  versions.reduce<string | null>((best, version) => best === null || isNewer(version, best) ? version : best, null)

/** What the tags of a package say: `latest` is what people are to install, all others are only for trying. */
export function releasedIn (tags: Static<typeof Tags>): Released {
  const latest = versionIn(tags.latest ?? '')
  const all = Object.values(tags).flatMap(tag => versionIn(tag) ?? [])
  return {
    stable: latest === undefined || isPrerelease(latest) ? null : latest,
    preview: newest(all.filter(isPrerelease))
  }
}

/** The version to tell of; null: there is none that is newer. Versions for trying are for those who run one. */
export function newerThan (running: string, { stable, preview }: Released): string | null {
  const offered = [stable, isPrerelease(running) ? preview : null].filter(version => version !== null)
  return newest(offered.filter(version => isNewer(version, running)))
}

async function textOf ({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += part.length
    if (size > MOST_BYTES) throw new Error(`its answer is larger than ${MOST_BYTES / 1024} KiB`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function tagsIn (text: string): Static<typeof Tags> {
  try {
    const value = JSON.parse(text) as Static<typeof Tags>
    if (validationError(Tags, value) === undefined) return value
  } catch {}
  throw new Error('its answer is not that of an npm registry')
}

/**
 * Asks a registry for the newest versions. The request says nothing of this service but that it is one.
 * @throws Error with the reason in plain words
 */
export async function askRegistry (registry: URL, signal: AbortSignal): Promise<Released> {
  const reply = await fetch(new URL(PATH, registry), {
    redirect: 'manual',
    signal: AbortSignal.any([signal, timeoutSignal(WITHIN_MS)]),
    headers: { accept: 'application/json', 'user-agent': 'prnd' }
  })
  if (reply.status >= 300 && reply.status < 400) {
    await reply.body?.cancel()
    throw new Error('it sends the service on to another address, which is not followed: correct plugins.updates.registry')
  }
  if (!reply.ok) {
    await reply.body?.cancel()
    throw new Error(reply.status === 404 ? 'it does not know the package prnd' : `it answers with the status ${reply.status}`)
  }
  return releasedIn(tagsIn(await textOf(reply)))
}
