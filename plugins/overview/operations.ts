import { Type } from 'typebox'
import { operation } from '../../core/index.js'
import { Fleet } from './schemas.js'
import { absent, depsOf, fleetOf, summaryOf } from './summary.js'
import { MOST_TAGS, Tag } from './tags.js'

export const readFleet = operation({
  name: 'overview.read',
  summary: 'Summary of all printers; those that need a person first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Fleet,
  run ({ kernel, services: { overview } }) {
    const { printers } = kernel
    return fleetOf(printers.names.map(name => {
      const session = printers.get(name)
      const tags = overview.tagsOf(printers.config(name)?.serial ?? session?.config.serial ?? '')
      return session ? summaryOf(session, depsOf(kernel), tags) : absent(name, tags)
    }))
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
