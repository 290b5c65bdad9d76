import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, privateFolder } from '../../core/index.js'
import { Hours } from './hours.js'
import type { OptionValues } from './storable-options.js'

/** In any script, because people name their devices. */
export const TargetName = Type.String({
  pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_ .-]{0,39}$', description: 'Letters, digits, spaces, `.`, `-` and `_`'
})

export const MOST_TARGETS = 256
const MOST_PRINTERS = 512

/** What happens to messages in quiet hours: they wait, or the severe ones or all of them are sent. */
export const NIGHTS = ['wait', 'severe', 'send'] as const

/** Which alerts reach a target that was added in the browser. */
export const TargetRule = Type.Object({
  alerts: Type.Array(Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$' }), {
    maxItems: 64, description: 'Types of alerts, such as `job_finished`; none: it gets no messages'
  }),
  printers: Type.Union([
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { minItems: 1, maxItems: MOST_PRINTERS }), Type.Null()
  ], { description: 'Names of printers; null for all' }),
  attach: Type.Enum(['none', 'picture', 'clip'], { description: 'A picture of the camera, or also the recorded clip' }),
  nights: Type.Enum(NIGHTS, { description: 'In quiet hours: `wait`, send only `severe` alerts, or `send` all' })
}, { additionalProperties: false })
export type TargetRule = Static<typeof TargetRule>

const Owner = Type.Object({ id: Type.String({ description: 'Stable id of the user' }), name: Type.String() })
export type Owner = Static<typeof Owner>

const StoredTarget = Type.Object({
  name: TargetName,
  type: Type.String({ minLength: 1 }),
  /** Without secrets. */
  options: Type.Record(Type.String(), Type.Unknown()),
  rule: TargetRule,
  /** The user whose device it is. */
  owner: Type.Optional(Owner),
  /** ms since the epoch. */
  addedAt: Type.Optional(Type.Integer())
})
export type StoredTarget = Static<typeof StoredTarget>

const Settings = Type.Object({
  version: Type.Literal(1),
  targets: Type.Array(StoredTarget, { maxItems: MOST_TARGETS }),
  quiet: Type.Optional(Hours('Quiet hours')),
  timeZone: Type.Optional(Type.String())
})
type Settings = Static<typeof Settings>

const Secrets = Type.Object({
  version: Type.Literal(1),
  targets: Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()), { description: 'By target and option' })
})

export interface Quiet { readonly quiet?: string | undefined, readonly timeZone?: string | undefined }

/**
 * Targets that were added in the browser. Their secrets are in a file of their own, with the other secrets of the
 * service.
 */
export interface StoredTargets {
  list (): readonly StoredTarget[]
  find (name: string): StoredTarget | undefined
  secretsOf (name: string): OptionValues
  quiet (): Quiet
  /** Adds a target, or replaces the one of its name. */
  save (target: StoredTarget, secrets: OptionValues): Promise<void>
  remove (name: string): Promise<void>
  setQuiet (quiet: Quiet): Promise<void>
  /** Resolves when nothing is being written. */
  settled (): Promise<void>
}

/** @param folder of the plugin @param dataDir whose `secrets` the secrets are stored in */
export async function openStoredTargets (folder: string, dataDir: string, warn: (message: string) => void):
Promise<StoredTargets> {
  const settings = await openJsonStore(join(folder, 'targets.json'), {
    schema: Settings, initial: { version: 1, targets: [] }, warn
  })
  const secrets = await openJsonStore(join(await privateFolder(dataDir, 'secrets'), 'messages.json'), {
    schema: Secrets, initial: { version: 1, targets: {} }, warn
  })

  const put = (change: Partial<Settings>): Promise<void> => settings.set({ ...settings.get(), ...change })
  const others = (name: string) => settings.get().targets.filter(target => target.name !== name)

  return {
    list: () => settings.get().targets,
    find: name => settings.get().targets.find(target => target.name === name),
    secretsOf: name => secrets.get().targets[name] ?? {},
    quiet () {
      const { quiet, timeZone } = settings.get()
      return { quiet, timeZone }
    },
    async save (target, own) {
      // The secrets first: after a crash between the two writes, they only wait for a target of that name.
      await secrets.set({ version: 1, targets: { ...secrets.get().targets, [target.name]: { ...own } } })
      const { targets } = settings.get()
      const isKnown = targets.some(({ name }) => name === target.name)
      const changed = targets.map(one => one.name === target.name ? target : one)
      await put({ targets: isKnown ? changed : [...targets, target] })
    },
    async remove (name) {
      await put({ targets: others(name) })
      const { [name]: _removed, ...left } = secrets.get().targets
      await secrets.set({ version: 1, targets: left })
    },
    async setQuiet ({ quiet, timeZone }) {
      const { version, targets } = settings.get()
      await settings.set({
        version, targets, ...(quiet !== undefined && { quiet }), ...(timeZone !== undefined && { timeZone })
      })
    },
    async settled () { await Promise.all([settings.settled(), secrets.settled()]) }
  }
}
