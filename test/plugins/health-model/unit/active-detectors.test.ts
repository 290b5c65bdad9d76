import t from 'tap'
import { ActiveDetectors } from '../../../../plugins/health-model/active-detectors.js'
import { builtIn } from '../../../../plugins/health-model/built-in.js'
import type { HealthModelOptions } from '../../../../plugins/health-model/options.js'
import type { InferenceClient } from '../../../../plugins/health-model/runtime/client.js'
import { checksumOf, storeModel } from '../../../../plugins/health-model/store.js'
import { testFolder } from '../../../helpers/folder.js'

t.test('a start does not wait until the files of networks are checked', async t => {
  const folder = testFolder(t)
  const bytes = Buffer.from('a network')
  await storeModel(folder, { ...builtIn().model, name: 'own', bytes: bytes.length, sha256: checksumOf(bytes) }, bytes)
  const active = new ActiveDetectors({
    folder,
    options: { builtIn: false, cameras: {}, trust: 1 } as unknown as HealthModelOptions,
    client: { close () {} } as InferenceClient,
    connections: { add: () => { throw new Error('there is no server') } },
    maskSecret: () => {},
    warn: message => t.fail(message)
  })
  await active.begin()
  t.same(active.detectors, [], 'a large file on a slow disk would take longer than a start may')
  await active.settled()
  t.match(active.detectors, [{ name: 'own' }])
})
