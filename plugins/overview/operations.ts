import { Type } from 'typebox'
import { operation, type Kernel } from '../../core/index.js'
import { Fleet, FleetSummary } from './schemas.js'
import { absent, depsOf, fleetOf, isBusy, summaryOf } from './summary.js'
import { MOST_TAGS, Tag, type Tags } from './tags.js'

const fleetNow = (kernel: Kernel, tagsOf: Tags['of']): Fleet => fleetOf(kernel.printers.names.map(name => {
  const session = kernel.printers.get(name)
  const tags = tagsOf(kernel.printers.config(name)?.serial ?? session?.config.serial ?? '')
  return session ? summaryOf(session, depsOf(kernel), tags) : absent(name, tags)
}))

export const readFleet = operation({
  name: 'overview.read',
  summary: 'Summary of all printers; those that need a person first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Fleet,
  run: ({ kernel, services: { overview } }) => fleetNow(kernel, overview.tagsOf)
})

export const readFleetSummary = operation({
  name: 'overview.summary',
  summary: 'How many printers print, are free, or need a person',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: FleetSummary,
  run ({ kernel, services: { overview } }) {
    const { printers, counts: { idle: _idle, ...counts } } = fleetNow(kernel, overview.tagsOf)
    const running = printers.flatMap(({ job, condition }) => job && isBusy(condition) ? [job.percent] : [])
    return { ...counts, percent: running.length === 1 ? running[0] ?? null : null }
  }
})

export const setTags = operation({
  name: 'overview.setTags',
  summary: 'Say which groups a printer belongs to',
  effect: 'local',
  record: true,
  runsHere: true, // tags are stored by the service that shows the printers
  input: Type.Object({ tags: Type.Array(Tag, { maxItems: MOST_TAGS, description: 'Replace the previous ones' }) }),
  output: Type.Object({ printer: Type.String(), tags: Type.Array(Type.String()) }),
  async run ({ kernel: { events }, session, services: { overview } }, { tags }) {
    const stored = await overview.setTags(session.config.serial, tags)
    events.emit('overview:tags', session.name)
    return { printer: session.name, tags: [...stored] }
  }
})
