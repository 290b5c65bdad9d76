import { Type, type Static } from 'typebox'
import { askNpm, BadInput, NotFound, NpmError, validationError } from '../../../core/index.js'

/** What marks a package as a plugin. */
export const KEYWORD = 'prnd-plugin'

const NAME = /^(?:@[a-z0-9][a-z0-9._-]*\/)?[a-z0-9][a-z0-9._-]*$/
const VERSION = /^[0-9A-Za-z][0-9A-Za-z.+-]*$/
const LONGEST_NAME = 214

/** What the registry says of one version. Source: docs.npmjs.com, `npm view`. */
const Version = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.Optional(Type.String()),
  license: Type.Optional(Type.Unknown()),
  keywords: Type.Optional(Type.Array(Type.String())),
  repository: Type.Optional(Type.Unknown()),
  dependencies: Type.Optional(Type.Record(Type.String(), Type.String())),
  time: Type.Optional(Type.Record(Type.String(), Type.String())),
  _npmUser: Type.Optional(Type.Unknown()),
  dist: Type.Object({
    unpackedSize: Type.Optional(Type.Number()),
    attestations: Type.Optional(Type.Object({ provenance: Type.Optional(Type.Unknown()) }))
  })
})

export interface PackageFacts {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly isPlugin: boolean
  readonly repository: string
  readonly dependencies: number
  /** When it was published; empty if the registry does not say. */
  readonly publishedAt: string
  readonly publishedBy: string
  /** Bytes as installed; undefined if the registry does not say. */
  readonly bytes: number | undefined
  /** The registry has a statement of where it was built. */
  readonly hasProvenance: boolean
}

const textIn = (value: unknown, key: string): string => {
  if (typeof value === 'string') return value
  const own = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key]
  return typeof own === 'string' ? own : ''
}

/** `name`, or `name@version`. @throws PRN_ERR_BAD_INPUT */
export function parsePackage (text: string): { readonly name: string, readonly version: string } {
  const at = text.lastIndexOf('@')
  const [name, version] = at > 0 ? [text.slice(0, at), text.slice(at + 1)] : [text, 'latest']
  if (!NAME.test(name) || name.length > LONGEST_NAME || !VERSION.test(version)) {
    throw new BadInput(`'${text}' is not the name of a package, such as ${KEYWORD}-bed-watch or @me/${KEYWORD}-bed-watch@1.2.0`)
  }
  return { name, version }
}

function factsOf (
  { _npmUser: user, repository, license, keywords = [], dist, time, ...version }: Static<typeof Version>
): PackageFacts {
  return {
    name: version.name,
    version: version.version,
    description: version.description ?? '',
    license: textIn(license, 'type'),
    isPlugin: keywords.includes(KEYWORD),
    repository: textIn(repository, 'url').replace(/^git\+/, '').replace(/\.git$/, ''),
    dependencies: Object.keys(version.dependencies ?? {}).length,
    publishedAt: time?.[version.version] ?? '',
    publishedBy: textIn(user, 'name').replace(/\s*<.*$/, ''),
    bytes: dist.unpackedSize,
    hasProvenance: dist.attestations?.provenance !== undefined
  }
}

/**
 * What the registry says of a package.
 * @throws PRN_ERR_NOT_FOUND, PRN_ERR_BAD_INPUT with what npm says
 */
export async function packageFacts (text: string, folder: string): Promise<PackageFacts> {
  const { name, version } = parsePackage(text)
  const answer = await askNpm(['view', `${name}@${version}`], folder).catch((error: unknown) => {
    if (error instanceof NpmError && error.code === 'E404') throw new NotFound(`The registry has no package ${text}`)
    throw new BadInput(`npm cannot say what ${text} is: ${(error as Error).message}`)
  })
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer
  if (last === undefined) throw new NotFound(`The registry has no version ${version} of ${name}`)
  const problem = validationError(Version, last)
  if (problem !== undefined) throw new BadInput(`The registry describes ${text} in another way than npm does: ${problem}`)
  return factsOf(last as Static<typeof Version>)
}

const Hit = Type.Object({
  name: Type.String(),
  version: Type.String(),
  description: Type.Optional(Type.String()),
  date: Type.Optional(Type.String())
})
export type SearchHit = Static<typeof Hit>

/** @param words letters and digits; what else is in them is left out */
export async function searchPackages (words: readonly string[], folder: string): Promise<readonly SearchHit[]> {
  const plain = words.map(word => word.replaceAll(/[^\p{L}\p{N}._@/-]+/gu, '')).filter(word => word !== '')
  const answer = await askNpm(['search', '--searchlimit=50', `keywords:${KEYWORD}`, ...plain], folder).catch((error: unknown) => {
    throw new BadInput(`npm cannot search its registry: ${(error as Error).message}`)
  })
  const hits = Array.isArray(answer) ? answer as unknown[] : []
  return hits.filter((hit): hit is SearchHit => validationError(Hit, hit) === undefined)
}
