// A stand-in for Spoolman, after the OpenAPI document of its API: it adds what it is told, and knows no repetition.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface Kept { id: number, used_weight: number, extra: Record<string, string>, filament: object }

/** What goes wrong with the next uses. */
export type Fault = 'lost_before' | 'lost_after' | 'status_500' | undefined

export async function startSpoolman (t: Test) {
  const spools = new Map<number, Kept>()
  const uses: { id: number, grams: number }[] = []
  const asked: string[] = []
  const headers: (string | undefined)[] = []
  let fault: Fault
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const { method, url = '' } = request
    asked.push(`${method} ${url}`)
    headers.push(request.headers.authorization)
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const shown = (spool: Kept) => ({ ...spool, archived: false, registered: '2026-01-01T00:00:00Z' })
    if (method === 'GET' && url === '/api/v1/spool?allow_archived=false') return answer(200, [...spools.values()].map(shown))
    const [, number, use] = /^\/api\/v1\/spool\/(\d+)(\/use)?$/.exec(url) ?? []
    const spool = spools.get(Number(number))
    if (!spool) return answer(404, { message: `No spool with ID ${number} found.` })
    if (!use) return answer(200, shown(spool))
    if (fault === 'status_500') return answer(500, { message: 'Internal error' })
    const count = () => {
      const { use_weight: grams } = JSON.parse(text) as { use_weight: number }
      uses.push({ id: spool.id, grams })
      spool.used_weight += grams
    }
    if (fault === 'lost_before') return response.destroy()
    count()
    if (fault === 'lost_after') return response.destroy()
    answer(200, shown(spool))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => { server.closeAllConnections(); server.close(resolve) }))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spools,
    uses,
    asked,
    headers,
    break: (next: Fault) => { fault = next },
    add (id: number, { tag, weight = 1000 }: { tag?: string, weight?: number } = {}) {
      spools.set(id, {
        id,
        used_weight: 0,
        extra: tag === undefined ? {} : { tag: JSON.stringify(tag) },
        filament: {
          id, name: 'Basic', material: 'PLA', color_hex: 'ff0000', weight, density: 1.24, vendor: { id: 1, name: 'Acme' }
        }
      })
    }
  }
}
