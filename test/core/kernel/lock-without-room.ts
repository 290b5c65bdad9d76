// Locks a data folder in a process that may write nothing, and says when that is stored.
import { setTimeout as sleep } from 'node:timers/promises'
import { lockFolder } from '../../../core/kernel/folder-lock.js'
import { openInstanceId } from '../../../core/util/json-store.js'

const [dataDir = ''] = process.argv.slice(2)
const { signal } = new AbortController()
const lock = await lockFolder(dataDir, signal, { touchMs: 50, silentMs: 3_000 })
await lock.announce(4711)
const id = await openInstanceId(dataDir, () => {})
console.log(`${lock.isStored} ${id}`)
while (!lock.isStored) await sleep(20)
await lock.release()
console.log('released')
