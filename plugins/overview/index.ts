import { definePage, definePlugin, pageFilePath, route, type ShellPage } from '../../core/index.js'
import { readFleet, readFleetSummary, setTags } from './operations.js'
import { openTags, type Tags } from './tags.js'
import { texts } from './texts/index.js'
import { fleetTopic } from './topic.js'

export type { Fleet, PrinterSummary } from './schemas.js'

/** Tags of printers, by serial. */
export interface Overview {
  readonly tagsOf: Tags['of']
  readonly setTags: Tags['set']
}

declare module 'prnd' {
  interface Services { overview: Overview }
  interface Events {
    /** The tags of a printer changed. */
    'overview:tags': [printer: string]
  }
}

const fleetPage = (): ShellPage => definePage({
  id: 'fleet',
  path: '/fleet',
  icon: 'fleet',
  order: 10,
  key: 'f',
  texts,
  content: { files: 'overview', styles: ['fleet.css'], modules: { 'camera-player': pageFilePath('camera', 'player.js') } }
})

/** All printers on a screen in the room, in pages that turn by themselves. */
const wallPage = (): ShellPage => definePage({
  id: 'wall',
  path: '/wall',
  icon: 'large',
  order: 12,
  unlisted: true,
  texts,
  content: {
    files: 'overview',
    html: 'wall.html',
    script: 'wall.js',
    styles: ['wall.css'],
    modules: { 'camera-player': pageFilePath('camera', 'player.js') }
  }
})

/** An overview of all printers. */
export default definePlugin({
  name: 'overview',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'All printers at a glance: page at / and /fleet, GET /api/fleet, topic fleet',
  needs: ['http'],
  optional: ['queue'],
  provides: ['overview'],
  uses: ['disk'],
  contributes: () => ({
    routes: [
      route(readFleet, { method: 'GET', path: '/fleet', tag: 'System', etag: true }),
      route(readFleetSummary, { method: 'GET', path: '/fleet/summary', tag: 'System' }),
      route(setTags, { method: 'PATCH', path: '/fleet/tags', tag: 'System' })
    ],
    liveTopics: [fleetTopic],
    pages: [fleetPage(), wallPage()]
  }),
  async setup ({ folder, log, provide }) {
    const tags = await openTags(await folder(), message => log.warn(message))
    provide('overview', { tagsOf: tags.of, setTags: tags.set })
  }
})
