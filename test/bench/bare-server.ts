// Serves the bytes it is given on bare routes of the same framework: what our own routes are measured against.
import fastify from 'fastify'
import { readFileSync } from 'node:fs'

const app = fastify()
const files = JSON.parse(process.argv[2] ?? '{}') as Record<string, string>
for (const [path, file] of Object.entries(files)) {
  const bytes = readFileSync(file)
  app.get(path, (_request, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))
}
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
process.send?.({ url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}` })
