import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

/** A place that messages are sent to: a web server that keeps the JSON of each request until the test ends. */
export async function startReceiver (t: Test): Promise<{ readonly got: any[], readonly url: string }> {
  const got: any[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', piece => { text += piece })
    request.on('end', () => {
      got.push(JSON.parse(text))
      response.end('ok')
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve)))
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
