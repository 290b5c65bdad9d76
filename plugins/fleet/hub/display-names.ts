import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'

/** As long as names may be. */
const LONGEST = 64
const LONGEST_PLACE = 40

const siteIn = (claimant: string): string => claimant.split('/')[0] ?? ''

/**
 * Whose printer has the plain name. Whoever had it keeps it; within a site another node may take it over. Two that come
 * at once have none: a name must never lead to another printer than yesterday.
 * @param owner who had it
 * @param claimants all that have a printer of this name now
 */
export function ownerOf (owner: string | undefined, claimants: readonly string[]): string | undefined {
  if (owner !== undefined && claimants.includes(owner)) return owner
  const heirs = owner === undefined ? claimants : claimants.filter(claimant => siteIn(claimant) === siteIn(owner))
  return heirs.length === 1 ? heirs[0] : owner
}

/** The name with its place, such as `p1s@hall-a`. */
export function qualified (name: string, claimant: string): string {
  const place = claimant.replace('/', '-').slice(0, LONGEST_PLACE)
  return `${name.slice(0, LONGEST - place.length - 1).trimEnd()}@${place}`
}

/** Two names that differ only in the case of their letters are one. */
export const nameKey = (name: string): string => name.toLowerCase()

const Owners = Type.Record(Type.String(), Type.String())

/** A printer by its own name. @param claimant a site where its nodes share it, such as `hall`, else a node, `hall/a` */
export interface Claim { readonly claimant: string, readonly name: string }

/** Remembers on disk whose printer has which plain name. */
export interface DisplayNames {
  /** @param claims all of one name @returns by claimant, what its printer is called at this hub */
  assign (claims: readonly Claim[]): ReadonlyMap<string, string>
  /** What a printer is called that is not listed. @param claimants whose it may be */
  nameOf (name: string, claimants: readonly string[]): string
  /** Names that nobody claims any more are free again. */
  release (claimed: ReadonlySet<string>): void
  readonly problems: readonly string[]
}

export async function openDisplayNames (folder: string,
  log: { warn (fields: object, message: string): void }): Promise<DisplayNames> {
  const store = await openJsonStore(join(folder, 'names.json'),
    { schema: Owners, initial: {}, warn: message => log.warn({}, message), compact: true })
  const owners = new Map(Object.entries(store.get()))
  const clashes = new Map<string, string>()

  const keep = () => {
    store.set(Object.fromEntries(owners))
      .catch((error: Error) => log.warn({ err: error }, 'the names of printers cannot be written to disk'))
  }

  function tell (key: string, names: ReadonlyMap<string, string>): void {
    if (names.size < 2) {
      clashes.delete(key)
      return
    }
    const list = [...names].map(([claimant, shown]) => `that of ${claimant} as '${shown}'`).join(', ')
    const text = `Several services have a printer named '${key}'; this hub shows ${list}. Give each a name of its own.`
    if (clashes.get(key) === text) return
    clashes.set(key, text)
    log.warn({ printer: key }, text)
  }

  return {
    assign (claims) {
      const [first] = claims
      const key = nameKey(first?.name ?? '')
      const owner = ownerOf(owners.get(key), claims.map(({ claimant }) => claimant))
      if (owner !== undefined && owner !== owners.get(key)) {
        owners.set(key, owner)
        keep()
      }
      const names = new Map(claims.map(({ claimant, name }) =>
        [claimant, claimant === owner ? name : qualified(name, claimant)]))
      tell(key, names)
      return names
    },
    nameOf (name, claimants) {
      const owner = owners.get(nameKey(name))
      const [first] = claimants
      return owner === undefined || first === undefined || claimants.includes(owner) ? name : qualified(name, first)
    },
    release (claimed) {
      const free = [...owners.keys()].filter(key => !claimed.has(key))
      for (const key of free) owners.delete(key)
      if (free.length > 0) keep()
    },
    get problems () { return [...clashes.values()] }
  }
}
