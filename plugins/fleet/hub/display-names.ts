import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../../core/index.js'

/** Longest name of a printer. */
const LONGEST = 64
const LONGEST_PLACE = 40

const siteIn = (claimant: string): string => claimant.split('/')[0] ?? ''

/** Whose printer has a plain name. The serial number is unknown if an earlier version wrote the file. */
export interface Owner { readonly claimant: string, readonly serial?: string }

/**
 * Decides whose printer has the plain name. The previous owner keeps it; another node of the same site takes it over
 * only with the same printer. Of two new claimants neither gets it: a name must never lead to another printer than it
 * did yesterday.
 * @param owner the previous owner
 * @param claimants all that have a printer of this name now
 */
export function ownerOf (owner: Owner | undefined, claimants: readonly Required<Owner>[]): Owner | undefined {
  const same = claimants.find(({ claimant }) => claimant === owner?.claimant)
  if (same !== undefined) return same
  const heirs = owner === undefined
    ? claimants
    : claimants.filter(({ claimant, serial }) => siteIn(claimant) === siteIn(owner.claimant) && serial === owner.serial)
  return heirs.length === 1 ? heirs[0] : owner
}

/** The name qualified with its place, such as `p1s@hall-a`. */
export function qualified (name: string, claimant: string): string {
  const place = claimant.replace('/', '-').slice(0, LONGEST_PLACE)
  return `${name.slice(0, LONGEST - place.length - 1).trimEnd()}@${place}`
}

/** Names are compared without regard to case. */
export const nameKey = (name: string): string => name.toLowerCase()

const Owners = Type.Record(Type.String(), Type.Union([
  Type.String(), // of an earlier version
  Type.Object({ claimant: Type.String(), serial: Type.Optional(Type.String()) })
]))

/** A printer by its own name. @param claimant its site if shared, such as `hall`, else its node, such as `hall/a` */
export interface Claim { readonly claimant: string, readonly name: string, readonly serial: string }

/** Remembers on disk which claimant owns which plain name. */
export interface DisplayNames {
  /** @param claims all of one name @returns the display name at this hub, by claimant */
  assign (claims: readonly Claim[]): ReadonlyMap<string, string>
  /** Display name of a printer that is not listed. @param claimants its possible owners */
  nameOf (name: string, claimants: readonly string[]): string
  /** Frees the names that have no claimant. */
  release (claimed: ReadonlySet<string>): void
  readonly problems: readonly string[]
}

export async function openDisplayNames (folder: string,
  log: { warn (fields: object, message: string): void }): Promise<DisplayNames> {
  const store = await openJsonStore(join(folder, 'names.json'),
    { schema: Owners, initial: {}, warn: message => log.warn({}, message), compact: true })
  const owners = new Map<string, Owner>(Object.entries(store.get())
    .map(([key, owner]) => [key, typeof owner === 'string' ? { claimant: owner } : owner]))
  const clashes = new Map<string, string>()

  const save = () => {
    store.set(Object.fromEntries(owners))
      .catch((error: Error) => log.warn({ err: error }, 'the names of printers cannot be written to disk'))
  }

  function noteClash (key: string, names: ReadonlyMap<string, string>, owner: Owner | undefined): void {
    const list = [...names].map(([claimant, shown]) => `that of ${claimant} as '${shown}'`).join(', ')
    const hasOwner = owner === undefined || names.has(owner.claimant)
    if (names.size === 0 || (names.size === 1 && hasOwner)) {
      clashes.delete(key)
      return
    }
    const text = names.size > 1
      ? `Several services have a printer named '${key}'; this hub shows ${list}. Give each a name of its own.`
      : `'${key}' was the name of another printer, of ${owner?.claimant}; this hub shows ${list}. Give it a name of its own.`
    if (clashes.get(key) === text) return
    clashes.set(key, text)
    log.warn({ printer: key }, text)
  }

  return {
    assign (claims) {
      const [first] = claims
      const key = nameKey(first?.name ?? '')
      const before = owners.get(key)
      const owner = ownerOf(before, claims.map(({ claimant, serial }) => ({ claimant, serial })))
      if (owner !== undefined && (owner.claimant !== before?.claimant || owner.serial !== before.serial)) {
        owners.set(key, owner)
        save()
      }
      const names = new Map(claims.map(({ claimant, name }) =>
        [claimant, claimant === owner?.claimant ? name : qualified(name, claimant)]))
      noteClash(key, names, owner)
      return names
    },
    nameOf (name, claimants) {
      const owner = owners.get(nameKey(name))?.claimant
      const [first] = claimants
      return owner === undefined || first === undefined || claimants.includes(owner) ? name : qualified(name, first)
    },
    release (claimed) {
      const free = [...owners.keys()].filter(key => !claimed.has(key))
      for (const key of free) owners.delete(key)
      if (free.length > 0) save()
    },
    get problems () { return [...clashes.values()] }
  }
}
