import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import t from 'tap'
import { timeoutSignal } from '../../../core/index.js'
import { eventually } from '../../helpers/eventually.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

t.test('a time-out that is part of a signal ends what waits, also after garbage was collected', async t => {
  const closing = new AbortController()
  const either = () => AbortSignal.any([closing.signal, timeoutSignal(400)])
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  t.teardown(() => { silent.closeAllConnections(); silent.close() })
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  let name: string | undefined
  fetch(`http://127.0.0.1:${port}`, { signal: either() }).catch((error: Error) => { name = error.name })
  const looked = either()
  for (let round = 0; round < 4; round++) {
    await pause(20)
    collectGarbage()
  }
  await eventually(() => looked.aborted) // nobody listens to this one
  await eventually(() => name !== undefined)
  t.equal(name, 'TimeoutError')
})
