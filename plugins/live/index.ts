import { definePlugin } from '../../core/index.js'
import { API_PREFIX } from '../http/index.js'
import { checkTopics } from './check.js'
import { streamSchema } from './describe.js'
import { createHub } from './hub.js'
import { streamEvents } from './sse.js'
import { streamSocket } from './socket.js'
import { session, state, type LiveTopic } from './topics.js'

export { defineLiveTopic } from './topics.js'
export type { EveryTopic, LiveTopic, NewestTopic, Send } from './topics.js'

declare module 'prn' {
  interface Contributions { liveTopics: LiveTopic }
}

const NAME = 'live'

/** Messages from clients are ignored. */
const MOST_RECEIVED_BYTES = 1024

/** Pushes alerts, sessions and states to programs that do not poll. */
export default definePlugin({
  name: NAME,
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'News as they happen: WebSocket and Server-Sent Events at /api/live',
  needs: ['http', 'state'],
  uses: ['network'],
  contributes: { liveTopics: [session, state] },
  async setup ({ app, kernel, services, contributed, onReady, onClose }) {
    const { default: websocket } = await import('@fastify/websocket') // not needed by plugins that only define a topic
    const topics = contributed('liveTopics')
    checkTopics(topics, topic => kernel.originOf(topic) ?? NAME)
    const hub = createHub(kernel, topics)
    onReady(hub.open)
    onClose(hub.close)
    await app.register(websocket, { options: { maxPayload: MOST_RECEIVED_BYTES } })
    app.route({
      method: 'GET',
      url: `${API_PREFIX}/live`,
      exposeHeadRoute: false,
      config: { openapi: streamSchema(topics, services.http.failures) },
      handler: (request, reply) => streamEvents(request, reply, hub, kernel),
      wsHandler: (socket, request) => streamSocket(socket, request, hub, kernel)
    })
  }
})
