import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Offer } from './server.js'

/** Serves one client on standard input and output; resolves when it is gone. Nothing else may write there. */
export async function serveStdio (offer: Offer): Promise<void> {
  const [{ StdioServerTransport }, { createServer }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('./server.js')
  ])
  const server = createServer(offer)
  const gone = new Promise<void>(resolve => { server.onclose = resolve })
  process.stdin.once('end', () => { void server.close() })
  await server.connect(new StdioServerTransport())
  await gone
  offer.resources.drop(server)
}

/**
 * Passes messages between standard input and output and a running service, so that a printer keeps the one
 * session it has. Resolves when either side is gone.
 */
export async function bridgeStdio (url: string, token?: string): Promise<void> {
  const [{ StdioServerTransport }, { StreamableHTTPClientTransport }] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/stdio.js'),
    import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  ])
  const near = new StdioServerTransport()
  const far = new StreamableHTTPClientTransport(new URL(url),
    token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } })
  const gone = new Promise<void>(resolve => {
    near.onclose = resolve
    far.onclose = resolve
    process.stdin.once('end', resolve)
  })
  const complain = (error: Error) => { process.stderr.write(`${error.message}\n`) }
  near.onerror = complain
  far.onerror = complain
  near.onmessage = message => {
    far.send(message).catch((error: Error) => answerFailure(near as Transport, message, error))
  }
  far.onmessage = message => {
    const version = (message as { result?: { protocolVersion?: string } }).result?.protocolVersion
    if (version !== undefined) far.setProtocolVersion(version)
    near.send(message).catch(complain)
  }
  await far.start()
  await near.start()
  await gone
  await far.terminateSession().catch(() => {}) // the service may be gone already
  await far.close()
  await near.close()
}

/** A request that cannot be passed on is answered, so that the client does not wait for ever. */
function answerFailure (near: Transport, message: object, error: Error): void {
  const { id } = message as { id?: string | number }
  if (id === undefined) return
  near.send({ jsonrpc: '2.0', id, error: { code: -32_603, message: `The printer service does not answer: ${error.message}` } })
    .catch(() => {})
}
