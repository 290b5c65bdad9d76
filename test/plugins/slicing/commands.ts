import type { Booted } from '../../helpers/boot.js'

/** Stores a model, as the page does. */
export async function sendModel ({ kernel }: Booted, name: string, content: Buffer | string) {
  const answer = await kernel.app.inject({
    method: 'POST',
    url: `/api/slicing/models?filename=${encodeURIComponent(name)}`,
    headers: { 'content-type': 'application/octet-stream' },
    payload: content
  })
  return { status: answer.statusCode, body: answer.json() as Record<string, any> }
}

/** What commands for a running service work with, and the lines that they print. */
export function commandsFor ({ kernel, http }: Booted) {
  const lines: string[] = []
  return {
    lines,
    screen: { say: (line: string) => { lines.push(line) }, colours: false },
    api: {
      async call<T> (method: string, path: string, params?: object): Promise<T> {
        const { status, body } = await http(method as 'GET', path, params as never)
        if (status !== 200) throw new Error(String(body.reason))
        return body as T
      },
      async send<T> (url: string, payload: NodeJS.ReadableStream, type: string): Promise<T> {
        const headers = { 'content-type': type }
        return (await kernel.app.inject({ method: 'POST', url, headers, payload: payload as never })).json() as T
      },
      download: async (path: string) => (await kernel.app.inject(path)).rawPayload
    }
  }
}
