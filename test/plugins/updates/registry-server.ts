import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** An npm registry on this machine; what it answers can be changed. */
export async function startRegistry (t: Test, first: RequestListener) {
  const asked: { url: string, method: string, headers: IncomingHttpHeaders }[] = []
  const registry = { asked, answer: first, url: new URL('http://127.0.0.1/') }
  const server = createServer((request, response) => {
    asked.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers })
    registry.answer(request, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => { server.closeAllConnections(); server.close() })
  registry.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/npm/`)
  return registry
}

export const tags = (given: object): RequestListener => (_, response) => { response.end(JSON.stringify(given)) }
