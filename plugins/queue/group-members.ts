import { Type, type Static } from 'typebox'
import type { Kernel } from '../../core/index.js'
import { Group } from './options.js'

type Printers = Pick<Kernel['printers'], 'names' | 'config'>
/** By name. */
type Serials = Readonly<Record<string, string>>

/** A group as it is stored: its printers are known by serial number, since another one may be given the name of one. */
export const StoredGroup = Type.Object({
  ...Group.properties, serials: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'By name' }))
})
type StoredGroup = Static<typeof StoredGroup>

/** A group with the present names of its printers. */
export interface PresentGroup extends Group {
  /**
   * Of its printers: machines that nobody has put in, which have the name of one that somebody has. The limits of the
   * group hold for them, so that a new machine does not start at night; what it allows does not.
   */
  readonly strangers?: readonly string[]
}

/** With the serial numbers of the printers that were put in, by present name. */
export interface KnownGroup extends PresentGroup { readonly serials: Serials }

interface Member {
  readonly name: string
  readonly serial: string | undefined
  readonly isPresent: boolean
}

// A printer may have any name, also that of something which every object has.
const serialIn = (serials: Serials, name: string): string | undefined =>
  Object.hasOwn(serials, name) ? serials[name] : undefined

/** One that is unknown here keeps its name, unless a renamed one has it. */
function membersOf (
  { printers, serials = {} }: StoredGroup, nameOf: ReadonlyMap<string | undefined, string>
): readonly Member[] {
  const members = printers.map((name): Member => {
    const serial = serialIn(serials, name)
    const now = serial === undefined ? undefined : nameOf.get(serial)
    return { name: now ?? name, serial, isPresent: now !== undefined }
  })
  const present = new Set(members.flatMap(({ name, isPresent }) => isPresent ? name : []))
  return members.filter(({ name, isPresent }) => isPresent || !present.has(name))
}

/** Groups that were stored with the names of that time. */
export function groupsNow (stored: readonly StoredGroup[], { names, config }: Printers): readonly KnownGroup[] {
  const nameOf = new Map(names.map(name => [config(name)?.serial, name]))
  return stored.map(group => {
    const members = membersOf(group, nameOf)
    const strangers = members.flatMap(({ name, isPresent }) => isPresent || config(name) === undefined ? [] : name)
    return {
      ...group,
      printers: members.map(({ name }) => name),
      serials: Object.fromEntries(members.flatMap(({ name, serial }) => serial === undefined ? [] : [[name, serial]])),
      ...strangers.length > 0 && { strangers }
    }
  })
}

/**
 * The serial numbers of a group with these printers. One that was in it before is not put in anew by a change of
 * something else, whichever machine has its name by now.
 */
export function serialsFor (printers: readonly string[], before: KnownGroup, { config }: Pick<Printers, 'config'>): Serials {
  return Object.fromEntries(printers.flatMap(name => {
    const serial = before.printers.includes(name) ? serialIn(before.serials, name) : config(name)?.serial
    return serial === undefined ? [] : [[name, serial]]
  }))
}
