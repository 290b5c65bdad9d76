import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { checkRoom } from '../../../plugins/http/index.js'
import { createViewerPool } from '../../../plugins/camera/stream/viewer-pool.js'

const source = { attach: () => () => {}, newest: undefined, video: undefined } as never
const log = { warn () {}, debug () {}, info () {} } as never

const response = (): ServerResponse => {
  const socket = Object.assign(new EventEmitter(), {
    destroyed: false, setNoDelay: () => socket, setKeepAlive: () => socket, write: () => true, cork () {}, uncork () {}, destroy () { socket.emit('close') }, end () { socket.emit('close') }
  })
  return { socket, removeHeader () {}, writeHead () {}, flushHeaders () {}, end () { socket.emit('close') } } as unknown as ServerResponse
}

t.test('one address does not take all places of a camera', async t => {
  const pool = createViewerPool({
    source, most: 8, checkRoom, log, now: Date.now, patienceMs: 10_000, lingerMs: () => 0
  })
  t.teardown(() => pool.close())
  const look = { resolution: 'native', quality: 75 } as never
  const admit = (address: string) => pool.admit(response(), look, address)
  admit('10.0.0.1')
  admit('10.0.0.1')
  t.throws(() => admit('10.0.0.1'), { code: 'PRN_ERR_TOO_MANY_FROM_ADDRESS' })
  t.throws(() => pool.checkRoom('10.0.0.1'), { code: 'PRN_ERR_TOO_MANY_FROM_ADDRESS' })
  for (const address of ['10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5', '10.0.0.6']) admit(address)
  t.throws(() => admit('10.0.0.7'), { code: 'PRN_ERR_TOO_MANY_VIEWERS' }, 'one is kept for this machine')
  admit('127.0.0.1')
  t.throws(() => admit('127.0.0.1'), { code: 'PRN_ERR_TOO_MANY_VIEWERS' })
  t.equal(pool.size, 8)
})
