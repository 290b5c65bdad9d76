import { CONNECTION_ERROR_CODES } from '../../core/index.js'
import type { Application } from './application.js'
import { byText, code, page, sentence, table } from './markdown.js'
import { ownerOf, type Member, type Sources } from './source.js'

const plainName = (name: string) => name.replaceAll("'", '')

const eventRows = (events: readonly (Member & { readonly path?: string })[]) =>
  [...events].sort(byText(({ name }) => plainName(name)))
    .map(({ name, type, doc, path }) => [code(plainName(name)), code(type), path ? ownerOf(path) : '', sentence(doc)])

function liveTopics ({ kernel }: Application): string {
  const rows = [...kernel.contributed('liveTopics')].sort(byText(({ name }) => name)).map(topic => [
    code(topic.name), kernel.originOf(topic) ?? '',
    topic.every === true ? 'each one; missed ones are sent after a reconnect' : 'the newest, at most once a second',
    sentence(topic.description)
  ])
  return table(['Topic', 'From', 'What is sent', ''], rows)
}

function socketTopics (application: Application | undefined, sources: Sources): string[] {
  if (application === undefined) return []
  const { kernel } = application
  const rows = [...kernel.contributed('socketTopics')].sort(byText(({ event }) => event)).map(({ event, ...topic }) =>
    [code(event), kernel.originOf(kernel.contributed('socketTopics').find(known => known.event === event) ?? topic) ?? ''])
  const doc = sources.named('SocketTopic', 'plugins/socketio/topics.ts')?.doc ?? ''
  return ['## Socket.IO of `prnd app`', sentence(doc), table(['Event', 'From'], rows)]
}

/** Codes of alerts stand in the rules, as each rule may raise several. */
function alerts (sources: Sources): string {
  const given = sources.withText(/\btype: ([^,\n]*'[^,\n]*)/g)
    .filter(({ path }) => path.startsWith('plugins/alerts/rules/')).flatMap(({ found }) => found)
  const types = given.flatMap(text => text.match(/'[a-z_]+'/g) ?? []).map(type => type.replaceAll("'", ''))
  return [...new Set(types)].sort().map(code).join(', ')
}

export function eventsPage (daemon: Application, standalone: Application | undefined, sources: Sources): string {
  const session = sources.named('SessionEvents', 'core/printer/types.ts')
  return page(
    '# Events',
    '## Events for programs',
    '`GET /api/live` by WebSocket or as Server-Sent Events. Parameters choose topics and printers: `topics=alerts,session`, ' +
    '`printer=workshop`; without them you get all. Plugins add topics with `defineLiveTopic`.',
    liveTopics(daemon),
    socketTopics(standalone, sources),
    '## Alerts',
    `The topic \`alerts\`, \`GET /api/alerts\`, the tool \`get_pending_alerts\` and the event \`alert\` report: ${alerts(sources)}.`,
    '## Events of the kernel',
    'For plugins: `events.on(name, listener)` in `setup`. The listener receives the arguments in brackets.',
    table(['Event', 'Arguments', 'From', ''], eventRows(sources.added('Events'))),
    '## Events of a session',
    'For plugins: `session.events.on(name, listener)`, best inside `printers.each`.',
    table(['Event', 'Arguments', '', ''], eventRows(session?.members ?? [])),
    '## Problems of a session',
    `The values of \`problem.code\` of a session: ${[...CONNECTION_ERROR_CODES].sort().map(code).join(', ')}. ` +
    '[Getting started](../guides/getting-started.md#what-failures-look-like) says what each means.'
  )
}
