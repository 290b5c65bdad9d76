import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export type Answer = (request: Received, response: ServerResponse) => void

const status = (code: number): Answer => (_request, response) => { response.writeHead(code).end() }
export const OK: Answer = status(204)
export const BROKEN: Answer = status(500)
/** Takes the request and says nothing. */
export const SILENT: Answer = () => {}
export const HANGS_UP: Answer = (_request, response) => { response.destroy() }

async function bodyOf (request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A web server that notes what it is sent, and answers as it is told. */
export async function startReceiver (t: Test, answer: Answer = OK) {
  const received: Received[] = []
  let next = answer
  const server = createServer((request, response) => {
    bodyOf(request).then(bytes => {
      const one = { path: request.url ?? '', headers: request.headers, bytes }
      received.push(one)
      next(one, response)
    }, () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    json: (at: number) => JSON.parse(received.at(at)?.bytes.toString() ?? 'null'),
    form: async (at: number): Promise<FormData> => {
      const { headers, bytes } = received.at(at) as Received
      return await new Response(new Uint8Array(bytes), { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
    },
    answer (other: Answer) { next = other }
  }
}
