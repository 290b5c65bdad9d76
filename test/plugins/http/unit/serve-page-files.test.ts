import fastify from 'fastify'
import t from 'tap'
import { findPageFiles } from '../../../../core/index.js'
import { servePageFiles } from '../../../../plugins/http/serve-page-files.js'

t.test('files of a page are for good, of their own kind, and no others', async t => {
  const app = fastify()
  t.teardown(() => app.close())
  servePageFiles(app, new Map([['/page-abc', findPageFiles('camera')]]))
  const script = await app.inject('/page-abc/live.js')
  t.equal(script.statusCode, 200)
  t.match(script.headers, {
    'content-type': 'text/javascript', 'cache-control': /immutable/, 'x-content-type-options': 'nosniff'
  })
  for (const name of ['live.html', '..%2F..%2Fpackage.json']) {
    t.equal((await app.inject(`/page-abc/${name}`)).statusCode, 404, name)
  }
})
