import { Type, type Static } from 'typebox'
import { mayUse, operation } from '../../../core/index.js'
import { SetInFile } from '../../database/index.js'
import { minutesLeft, opensAt } from '../decide/index.js'
import { GroupExists, GroupsFull, GroupStays, NoGroup } from '../errors.js'
import type { PresentGroup } from '../group-members.js'
import type { GroupChange } from '../group-registry.js'
import { Hours, LONGEST_SPACING_S, MOST_FAILURES } from '../options.js'
import type { QueueService } from '../service.js'
import type { Snapshot } from '../types.js'
import { pauseOfGroup } from '../view.js'

const MOST_PRINTERS = 512
const MINUTE_MS = 60_000

const SPELLING = '^[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}_ .-]{0,39}$'
const NewName = Type.String({ pattern: SPELLING, description: 'Letters, digits, spaces, `.`, `-` and `_`; not that of a printer' })
const Name = Type.String({ minLength: 1, maxLength: 64, description: 'Of a group' })
const ByName = Type.Object({ name: Name })

const settings = {
  printers: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: MOST_PRINTERS, description: 'Names of its printers'
  })),
  hours: Type.Optional(Type.Union([Hours, Type.Null()], {
    title: 'hours such as {"from": "08:00", "to": "18:00", "days": [1, 2]}, or null',
    description: 'In which prints are started, by the clock of the machine: `from`, `to` (before `from`: on the next day), ' +
      'and `days` on which they begin, 1 Monday to 7 Sunday; null: at any time'
  })),
  spacing_s: Type.Optional(Type.Integer({ minimum: 0, maximum: LONGEST_SPACING_S, description: 'Least time between the starts of two prints' })),
  stop_after_failures: Type.Optional(Type.Union([Type.Integer({ minimum: 0, maximum: MOST_FAILURES }), Type.Null()], {
    title: `a number from 0 to ${MOST_FAILURES}, or null`,
    description: 'After so many failed prints in a row its printers are held until a person releases them; 0: never, null: as the ' +
      'configuration says'
  })),
  self_clearing: Type.Optional(Type.Boolean({
    description: 'Its printers remove finished prints by themselves: the next job starts without anybody looking at the plate'
  }))
}

const GroupView = Type.Object({
  name: Type.String(),
  printers: Type.Array(Type.String()),
  strangers: Type.Array(Type.String(), {
    description: 'Of `printers`: other machines than those that were put in, under their names. `self_clearing` does not hold for them; ' +
      'to put one in, take its name out and save, then put it in'
  }),
  hours: Type.Union([Hours, Type.Null()], { description: 'Null: at any time' }),
  spacing_s: Type.Integer(),
  self_clearing: Type.Boolean(),
  stop_after_failures: Type.Union([Type.Integer(), Type.Null()], { description: '0: never; null: as the configuration says' }),
  is_paused: Type.Boolean(),
  is_open: Type.Boolean({ description: 'Prints may start by its hours now' }),
  changes_at: Type.Union([Type.Integer(), Type.Null()], { description: 'When its hours begin or end next, ms since the epoch; null: never' }),
  jobs: Type.Integer({ description: 'Open jobs that ask for it' }),
  stays: Type.Union([Type.Enum(['paused', 'jobs', 'named']), Type.Null()], { description: 'Why it cannot be removed now; null: it can' })
})
type GroupView = Static<typeof GroupView>

export const GroupsView = Type.Object({
  origin: Type.Enum(['file', 'stored', 'none'], { description: '`file`: from the configuration file, and only changed there' }),
  time_zone: Type.String({ description: 'Of the machine, for the hours' }),
  groups: Type.Array(GroupView),
  printers: Type.Array(Type.String(), { description: 'All printers, to choose from' }),
  may_change: Type.Boolean({ description: 'The caller may change groups' })
}, { 'x-name': 'QueueGroups' })

function viewOf (group: PresentGroup, snapshot: Snapshot, queue: QueueService, now: number): GroupView {
  const { name, printers, strangers = [], hours, spacingSeconds, selfClearing, stopAfterFailures } = group
  const isPaused = (snapshot.pauses.get(pauseOfGroup(name)) ?? 0) > now
  const left = hours ? minutesLeft(hours, now) : 0
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS
  return {
    name,
    printers: [...printers],
    strangers: [...strangers],
    hours: hours ?? null,
    spacing_s: spacingSeconds,
    self_clearing: selfClearing,
    stop_after_failures: stopAfterFailures ?? null,
    is_paused: isPaused,
    is_open: hours === undefined || left > 0,
    changes_at: hours === undefined ? null : left > 0 ? minute + left * MINUTE_MS : opensAt(hours, now) ?? null,
    jobs: snapshot.jobs.filter(({ needs }) => needs.printers.includes(name)).length,
    stays: queue.groupRegistry.staysFor(name, snapshot.jobs, isPaused)?.code ?? null
  }
}

type Given = Static<Type.TObject<typeof settings>>

const changeOf = ({
  spacing_s: spacingSeconds, self_clearing: selfClearing, stop_after_failures: stopAfterFailures, printers, hours
}: Given): GroupChange => ({
  ...printers !== undefined && { printers: [...new Set(printers)] },
  ...hours !== undefined && { hours },
  ...stopAfterFailures !== undefined && { stopAfterFailures },
  ...spacingSeconds !== undefined && { spacingSeconds },
  ...selfClearing !== undefined && { selfClearing }
})

const CHECKED = ['the groups are not set in the configuration file', 'the printers exist']

export const readGroups = operation({
  name: 'queue.readGroups',
  summary: 'Groups of printers: their hours, the time between starts, and whether they clear their plates',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: GroupsView,
  async run ({ kernel, caller, services: { queue } }) {
    const snapshot = await queue.store.snapshot()
    const now = kernel.now()
    return {
      origin: queue.groupRegistry.origin,
      time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      groups: queue.groupRegistry.all.map(group => viewOf(group, snapshot, queue, now)),
      printers: [...kernel.printers.names],
      may_change: mayUse(kernel, changeGroup, caller)
    }
  }
})

export const addGroup = operation({
  name: 'queue.addGroup',
  summary: 'Add a group of printers',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'The queue keeps its hours and the time between starts at once. With self_clearing it starts the next print ' +
    'without anybody looking at the plate: a print on a plate that is not empty can destroy the machine.',
  note: ({ name }) => name,
  input: Type.Object({ name: NewName, ...settings }),
  output: ByName,
  errors: [SetInFile, GroupExists, GroupsFull],
  async preview ({ services: { queue } }, { name, ...given }) {
    await queue.groupRegistry.read()
    queue.groupRegistry.checkNew(name, changeOf(given))
    return { checked: [...CHECKED, 'the name is free'] }
  },
  async run ({ services: { queue }, askedBy }, { name, ...given }) {
    await queue.groupRegistry.add(name, changeOf(given), askedBy)
    queue.runner.wake()
    return { name }
  }
})

export const changeGroup = operation({
  name: 'queue.changeGroup',
  summary: 'Change a group of printers',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Prints may start at once where hours are longer or a printer leaves the group. With self_clearing the queue starts ' +
    'the next print without anybody looking at the plate: a print on a plate that is not empty can destroy the machine. Jobs ' +
    'follow a new name; rules and programs that use the old one find no group any more.',
  note: ({ name, new_name: newName }) => newName === undefined ? name : `${name}, now ${newName}`,
  input: Type.Object({
    name: Name,
    new_name: Type.Optional(Type.String({
      pattern: SPELLING, description: 'Its jobs keep it under that name. Not while it is paused or a page names it'
    })),
    ...settings
  }),
  output: ByName,
  errors: [SetInFile, NoGroup, GroupExists, GroupStays],
  async preview ({ services: { queue: { groupRegistry, store } } }, { name, new_name: newName = name, ...given }) {
    const snapshot = await store.snapshot()
    groupRegistry.checkChange(name, changeOf(given))
    if (newName !== name) groupRegistry.checkRenaming(name, newName, snapshot)
    return { checked: [...CHECKED, ...newName === name ? [] : ['the new name is free, and nothing else holds on to the old one']] }
  },
  async run ({ services: { queue }, askedBy }, { name, new_name: newName, ...given }) {
    await queue.groupRegistry.change(name, changeOf(given), askedBy, newName)
    queue.runner.wake()
    return { name: newName ?? name }
  }
})

export const removeGroup = operation({
  name: 'queue.removeGroup',
  summary: 'Remove a group of printers',
  effect: 'destructive',
  scope: 'daemon',
  access: 'trusted',
  consequence: 'Its printers stay. Its hours and the time between starts end, so prints may start at once.',
  note: ({ name }) => name,
  input: ByName,
  output: ByName,
  errors: [SetInFile, NoGroup, GroupStays],
  async preview ({ kernel, services: { queue } }, { name }) {
    const { jobs, pauses } = await queue.store.snapshot()
    const isPaused = (pauses.get(pauseOfGroup(name)) ?? 0) > kernel.now()
    queue.groupRegistry.checkRemoval(name, queue.groupRegistry.staysFor(name, jobs, isPaused))
    return { checked: ['it is not paused, and no job and no page names it'] }
  },
  async run ({ services: { queue }, askedBy }, { name }) {
    await queue.groupRegistry.remove(name, askedBy)
    queue.runner.wake()
    return { name }
  }
})
