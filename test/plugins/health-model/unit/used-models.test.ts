import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { builtIn } from '../../../../plugins/health-model/built-in.js'
import { fileDetectors, type InferenceClient } from '../../../../plugins/health-model/index.js'
import { checksumOf, storeModel, verifyModel } from '../../../../plugins/health-model/store.js'
import { knownModels, usedModels } from '../../../../plugins/health-model/used-models.js'
import { contextOf } from '../../../health/context.js'
import { testFolder } from '../../../helpers/folder.js'

async function installRuntime (folder: string): Promise<void> {
  const at = join(folder, 'runtime', 'node_modules', 'onnxruntime-web')
  await mkdir(at, { recursive: true })
  await writeFile(join(at, 'package.json'), '{ "version": "1.30.0" }')
}

async function addOther (folder: string): Promise<void> {
  const bytes = Buffer.from('a network')
  await storeModel(folder, { ...builtIn().model, name: 'other', sha256: checksumOf(bytes), bytes: bytes.length }, bytes)
}

t.test('the built-in network judges once a runtime is installed, until there is another', async t => {
  const folder = testFolder(t)
  const names = async (options: Partial<Parameters<typeof usedModels>[1]> = {}) =>
    (await usedModels(folder, { hasRemote: false, ...options }, t.fail)).map(({ model }) => model.name)
  t.strictSame(await names(), [])
  t.strictSame(await names({ builtIn: true }), [])
  await installRuntime(folder)
  t.strictSame(await names(), ['built-in'])
  t.strictSame(await names({ hasRemote: true }), [])
  t.strictSame(await names({ builtIn: false }), [])
  await addOther(folder)
  t.strictSame(await names(), ['other'])
  t.strictSame(await names({ builtIn: true, hasRemote: true }), ['other', 'built-in'])
  t.strictSame((await knownModels(folder, t.fail)).map(({ model }) => model.name), ['other', 'built-in'])
})

t.test('the built-in network can only raise the score, others replace it by their trust', async t => {
  const folder = testFolder(t)
  await addOther(folder)
  const certain: InferenceClient = {
    infer: async () => ({ value: 1, boxes: [], ms: 1, runtime: 'none' }),
    inspect: async () => { throw new Error('not asked') },
    close () {}
  }
  const store = { path: '', get: () => ({}), set: async () => {}, settled: async () => {} }
  const found = await fileDetectors(await knownModels(folder, t.fail),
    { client: certain, store, trustIn: () => 0.75, warn: t.fail })
  const { signal } = new AbortController()
  const ask = { signal, printer: 'one', job: 1, remember: true }
  const [other, own] = await Promise.all(found.map(({ detector }) =>
    detector.detect({ jpeg: Buffer.alloc(0), capturedAt: 1 }, contextOf(), ask)))
  t.equal(other?.trust, 0.75)
  t.equal(own?.trust, undefined)
  t.ok((own?.score ?? 0) > 0.38)
})

t.test('a damaged file of the built-in network is told from one that was exchanged', async t => {
  const { model, file } = builtIn()
  await verifyModel({ model, file })
  await t.rejects(verifyModel({ model: { ...model, sha256: '0'.repeat(64) }, file }), /install prnd again/)
  await t.rejects(verifyModel({ model: { ...model, name: 'other', sha256: '0'.repeat(64) }, file }), /add it again/)
})
