import { definePlugin, route } from '../../core/index.js'
import { pageFilePath } from '../http/index.js'
import { definePage, type ShellPage } from '../shell/index.js'
import { readFleet } from './operations.js'
import { texts } from './texts/index.js'
import { fleetTopic } from './topic.js'

export type { Fleet, PrinterSummary } from './schemas.js'

const fleetPage = (): ShellPage => definePage({
  id: 'fleet',
  path: '/fleet',
  icon: 'fleet',
  order: 10,
  key: 'f',
  texts,
  content: { files: 'overview', modules: { 'camera-player': pageFilePath('camera', 'player.js') } }
})

/** All printers at once. */
export default definePlugin({
  name: 'overview',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'All printers at a glance: page at / and /fleet, GET /api/fleet, topic fleet',
  needs: ['http'],
  contributes: () => ({
    routes: [route(readFleet, { method: 'GET', path: '/fleet', tag: 'System', etag: true })],
    liveTopics: [fleetTopic],
    pages: [fleetPage()]
  })
})
