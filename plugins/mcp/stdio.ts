import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { setTimeout as sleep } from 'node:timers/promises'
import { BadInput } from '../../core/index.js'
import { Bridge } from './bridge.js'
import { failureReason } from './failure-reason.js'
import { isListen, loadExchanges } from './exchanges.js'
import { sendLocally, sendOverHttp, relayStateless } from './relay.js'
import { EVERYTHING, selected, selectionProblem, type Selection } from './selection.js'
import type { ServerContext } from './types.js'

/** After its input ends, a client still gets pending answers. Many kill a server that has not exited after 2 s. */
const LAST_ANSWERS_MS = 1_500
const POLL_EVERY_MS = 10

const warn = ({ message }: { message: string }) => { process.stderr.write(`${message}\n`) }

/** Resolves when the client has closed either pipe, or exceeded the size limit of a message. */
const clientGone = (transport: Transport) => new Promise<void>(resolve => {
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  process.stdout.on('error', () => resolve())
  const { onclose } = transport
  transport.onclose = () => { onclose?.(); resolve() }
})

async function lastAnswers (pending: ReadonlySet<unknown>): Promise<void> {
  for (let waited = 0; pending.size > 0 && waited < LAST_ANSWERS_MS; waited += POLL_EVERY_MS) await sleep(POLL_EVERY_MS)
}

/** Requests received on a transport and not yet answered. */
function countPending (transport: Transport): ReadonlySet<unknown> {
  const pending = new Set<unknown>()
  const { onmessage } = transport
  const send = transport.send.bind(transport)
  transport.onmessage = (message, extra) => {
    if ('method' in message && 'id' in message && !isListen(message)) pending.add(message.id)
    if ('method' in message && message.method === 'notifications/cancelled') pending.delete(message.params?.requestId)
    onmessage?.(message, extra)
  }
  transport.send = async (message, options) => {
    await send(message, options)
    if (!('method' in message) && 'id' in message) pending.delete(message.id)
  }
  return pending
}

/** Serves one client on stdin and stdout; resolves when it disconnects. Nothing else may write to stdout. */
export async function serveStdio (whole: ServerContext, selection: Selection = EVERYTHING): Promise<void> {
  const problem = selectionProblem(selection, whole.kernel)
  if (problem !== undefined) throw new BadInput(problem)
  const serverContext = selected(whole, selection)
  const [{ StdioServerTransport }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('./server.js')
  ])
  const server = createServer(serverContext)
  server.onerror = warn
  const transport = new StdioServerTransport()
  await server.connect(transport)
  const here = sendLocally(() => loadExchanges(serverContext, warn))
  const relay = relayStateless(transport, { ask: here, explain: failureReason, warn })
  const pending = countPending(transport)
  await clientGone(transport)
  await lastAnswers(pending)
  relay.end()
  await server.close()
}

/**
 * Passes messages between stdin/stdout and a running service, so that printers need no second session. Reconnects
 * after a restart of the service. Resolves when the client disconnects.
 * @param ask `fetch` with the credentials for the service
 */
export async function bridgeStdio (url: string, ask: typeof fetch): Promise<void> {
  const [{ StdioServerTransport }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  ])
  const near = new StdioServerTransport()
  const bridge = new Bridge({
    near,
    connect: () => new StreamableHTTPClientTransport(new URL(url), { fetch: ask }) as Transport,
    warn: message => warn({ message })
  })
  const relay = relayStateless(near, { ask: sendOverHttp(url, ask), explain: failureReason, warn })
  const pending = countPending(near) // including those queued in the bridge
  const gone = clientGone(near)
  await bridge.start()
  await gone
  await lastAnswers(pending)
  relay.end()
  await bridge.end()
}
