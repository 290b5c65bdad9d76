import t from 'tap'
import { readServiceFile } from '../../../core/index.js'
import { IDENTITY_PATH, isProof } from '../../../plugins/http/index.js'
import { boot } from '../../helpers/boot-features.js'

const NONCE = 'ab'.repeat(32)

t.test('a service proves that it uses a data folder, without a token and without saying which', async t => {
  const { kernel } = await boot(t, { models: [], listen: true, config: { api: { host: '127.0.0.1', token: 'a long secret' } } })
  const { key = '', port = 0 } = await readServiceFile(kernel.dataDir) ?? {}
  t.equal(port, kernel.apiPort)
  const ask = async (nonce: string) => await kernel.app.inject({ url: `${IDENTITY_PATH}?nonce=${nonce}` })
  const reply = await ask(NONCE)
  t.equal(reply.statusCode, 200)
  const { proof } = reply.json()
  t.ok(isProof(proof, key, NONCE, port))
  t.notOk(isProof(proof, key, NONCE, port + 1), 'it holds for its own port')
  t.notOk(isProof(proof, key, 'cd'.repeat(32), port), 'and for the one question')
  t.notOk(isProof(proof, 'k'.repeat(64), NONCE, port))
  t.notOk(isProof(undefined, key, NONCE, port))
  t.same(Object.keys(reply.json()), ['proof'])
  t.notMatch(reply.body, kernel.dataDir)
  for (const nonce of ['', 'short', 'x'.repeat(64), 'ab'.repeat(200)]) t.equal((await ask(nonce)).statusCode, 400)
})

t.test('a service that listens nowhere proves nothing', async t => {
  const { kernel } = await boot(t, { models: [] })
  t.equal((await kernel.app.inject({ url: `${IDENTITY_PATH}?nonce=${NONCE}` })).statusCode, 404)
})
