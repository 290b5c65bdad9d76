import t, { type Test } from 'tap'
import { createKernel, definePreset } from '../../../core/index.js'
import { boot } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'
import { REMOTE } from '../../helpers/addresses.js'

const TOKEN = 'a-long-token'
const PROXY = '10.1.2.3'
const EMPTY = definePreset({ name: 'empty', plugins: [] })

const serve = async (t: Test, trustProxy: string[]) => (await boot(t, {
  models: [],
  config: { api: { token: TOKEN, trustProxy }, plugins: { http: { limits: { catalogue: 2 } } } }
})).kernel.app

type App = Awaited<ReturnType<typeof serve>>

/** One wrong token at the login page, as a proxy passes it on. */
const wrong = async (app: App, client: string, remoteAddress = PROXY) => (await app.inject({
  method: 'POST',
  url: '/login',
  remoteAddress,
  headers: { 'x-forwarded-for': client, 'content-type': 'application/x-www-form-urlencoded' },
  payload: 'token=wrong'
})).statusCode

async function tries (app: App, client: string, remoteAddress?: string): Promise<number> {
  let last = 0
  for (let at = 0; at < 11; at++) last = await wrong(app, client, remoteAddress)
  return last
}

const read = async (app: App, client: string) => (await app.inject({
  url: '/api/filament_catalog', remoteAddress: PROXY, headers: { 'x-forwarded-for': client, authorization: `Bearer ${TOKEN}` }
})).statusCode

t.test('behind a proxy that is believed, each client has tries and limits of its own', async t => {
  const app = await serve(t, ['10.0.0.0/8'])
  t.equal(await tries(app, `${REMOTE}.1`), 429)
  t.equal(await wrong(app, `${REMOTE}.2`), 401)
  t.same([await read(app, `${REMOTE}.1`), await read(app, `${REMOTE}.1`), await read(app, `${REMOTE}.1`)], [200, 200, 429])
  t.equal(await read(app, `${REMOTE}.2`), 200)
})

t.test('nobody else is believed', async t => {
  const believing = await serve(t, ['10.0.0.0/8'])
  t.equal(await tries(believing, `${REMOTE}.1`, '172.16.0.1'), 429)
  t.equal(await wrong(believing, `${REMOTE}.2`, '172.16.0.1'), 429, 'a client cannot make itself another')
  const plain = await serve(t, [])
  t.equal(await tries(plain, `${REMOTE}.1`), 429)
  t.equal(await wrong(plain, `${REMOTE}.2`), 429)
})

t.test('the name of the host is never taken from a proxy', async t => {
  const app = await serve(t, ['127.0.0.1'])
  const { statusCode } = await app.inject({
    url: '/livez', headers: { host: 'evil.example', 'x-forwarded-host': 'localhost', authorization: `Bearer ${TOKEN}` }
  })
  t.equal(statusCode, 403)
})

t.test('what only this machine may do is not done for whoever comes through a proxy on it', async t => {
  const app = await serve(t, [])
  const ask = async (headers: Record<string, string>) => (await app.inject({
    url: '/plugins/management', headers: { authorization: `Bearer ${TOKEN}`, ...headers }
  })).statusCode
  t.equal(await ask({}), 200)
  for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via']) t.equal(await ask({ [name]: '127.0.0.1' }), 403, name)
})

t.test('what is no address is refused', async t => {
  for (const text of ['everybody', '10.0.0.0/33', '10.0.0.0/8/8', '::1/200', '10.0.0.0/x']) {
    await t.rejects(createKernel(EMPTY, { dataDir: testFolder(t), api: { trustProxy: [text] }, log: { file: false } }),
      { code: 'PRN_ERR_CONFIG', message: `api.trustProxy: '${text}' is neither an address nor a network such as 10.0.0.0/8` })
  }
})
