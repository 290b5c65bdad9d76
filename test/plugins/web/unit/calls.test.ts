import t from 'tap'
import { pageModules } from '../../../helpers/page-module.js'

const parameters = [{ name: 'printer', schema: {} }]
const DESCRIPTION = {
  paths: {
    '/api/upload_file_to_printer': { post: { parameters } },
    '/api/file_transfers': { get: { parameters } },
    '/api/pause_printing': { post: { parameters } }
  }
}

/** A service that answers as it is told to, and the page's calls of it. */
async function begin (account?: string) {
  const said = { reloads: 0 }
  const bodies: any[] = []
  const state = { status: 200, onHost: () => {} }
  const fetch = async (path: string, { body }: { body?: string } = {}) => {
    if (body !== undefined) bodies.push(JSON.parse(body))
    const text = path.endsWith('openapi.json') ? JSON.stringify(DESCRIPTION) : '{}'
    return new Response(text, { status: state.status, headers: { 'content-type': 'application/json' } })
  }
  class XMLHttpRequest {
    upload = {}
    status = 200
    responseText = '{"filename":"cube.3mf"}'
    onload = () => {}
    onloadend = () => {}
    open () {}
    setRequestHeader () {}
    send () { state.onHost(); this.onload(); this.onloadend() }
  }
  const page = await pageModules(['web/page/api.js', 'web/page/upload.js', 'web/page/token.js'], {
    packages: { shell: { t: String, shell: { account } } },
    globals: { fetch, window: { XMLHttpRequest }, location: { reload: () => { said.reloads++ } } }
  })
  await page.loadDescription()
  return { page, state, bodies, said }
}

t.test('a file goes to the card of the printer for which it was chosen', async t => {
  const { page, state, bodies } = await begin()
  page.choosePrinter('a')
  state.onHost = () => page.choosePrinter('b') // while the file goes to the service
  await page.upload(new File(['x'], 'cube.3mf'), '/', { printer: 'a', tells: false })
  t.match(bodies, [{ printer: 'a', src: 'cube.3mf', dest: '/cube.3mf' }])
})

t.test('who has logged in by name is led to the login, and not asked for a token', async t => {
  const { page, state, said } = await begin('Anna')
  state.status = 401
  await t.rejects(page.call('pause_printing'), { message: 'printer.error' })
  t.equal(said.reloads, 1)
  t.equal(page.tokenQuestion.get(), undefined)
})

t.test('the question for the token can be left', async t => {
  const { page, state, said } = await begin()
  state.status = 401
  const calls = [page.call('pause_printing'), page.call('pause_printing')].map(call => t.rejects(call, { message: 'printer.token.needed' }))
  await new Promise(setImmediate)
  page.tokenQuestion.get().refuse()
  await Promise.all(calls)
  await t.rejects(page.call('pause_printing'), { message: 'printer.token.needed' })
  t.equal(page.tokenQuestion.get(), undefined, 'it does not come back by itself')
  t.equal(said.reloads, 0)
})
