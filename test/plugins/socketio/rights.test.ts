import t from 'tap'
import { WebSocket } from 'ws'
import database from '../../../plugins/database/index.js'
import people from '../../../plugins/people/index.js'
import socketio from '../../../plugins/socketio/index.js'
import { boot, featuresWith } from '../../helpers/boot-features.js'
import { testFolder } from '../../helpers/folder.js'

t.test('connections end with the credentials they began with, and only those', async t => {
  const { kernel } = await boot(t, {
    preset: featuresWith(database, people, socketio), models: [], listen: true, config: { dataDir: testFolder(t) }
  })
  const { store, find } = kernel.services.people
  const connected = async (key?: string) => {
    const url = `ws://127.0.0.1:${kernel.apiPort}/socket.io/?EIO=4&transport=websocket`
    const socket = new WebSocket(url, { headers: key === undefined ? {} : { authorization: `Bearer ${key}` } })
    t.teardown(() => { socket.terminate() })
    await new Promise((resolve, reject) => { socket.once('message', resolve).once('error', reject) })
    socket.send('40')
    await new Promise(resolve => { socket.once('message', resolve) })
    return { socket, closed: new Promise(resolve => { socket.once('close', resolve) }) }
  }
  const keyOf = (name: string, owner?: string) =>
    store.addKey({ name, role: 'view', printers: undefined, expiresAt: undefined, owner })
  const anybody = await connected()
  await store.addUser('ben', 'administrate', undefined, null)
  const [revoked, limited, kept] = [await keyOf('revoked'), await keyOf('limited', find('ben').id), await keyOf('kept')]
  await anybody.closed
  t.pass('nobody is let in without credentials any more')
  const open = [await connected(revoked), await connected(limited), await connected(kept)] as const
  await store.revokeKey('revoked')
  await open[0].closed
  await store.changeUser('ben', { printers: ['x1c'] }, true)
  await open[1].closed
  t.equal(open[2].socket.readyState, WebSocket.OPEN)
})
