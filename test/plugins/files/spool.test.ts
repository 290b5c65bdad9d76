import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import type { SdCardSink } from '../../../core/index.js'
import { createSpool } from '../../../plugins/files/spool.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { bootFiles } from './boot-files.js'

const MIB = 1024 ** 2
const content = (bytes: number) => Buffer.alloc(bytes, 'the quick brown fox ')
/** A card that sends at once. */
const sending = (bytes: Buffer) => (sink: () => SdCardSink) => pipeline(Readable.from([bytes]), sink())
const opened = (folder: string, { mostBytes = 100 * MIB, stallMs = 60_000 } = {}) =>
  createSpool({ folder: async () => folder, mostBytes, stallMs })

t.test('the card has sent everything before a reader has taken anything, and the reader gets it whole', async t => {
  const folder = testFolder(t)
  const bytes = content(5 * MIB)
  let isSent = false
  const body = await opened(folder).stream(bytes.length, async sink => {
    await sending(bytes)(sink)
    isSent = true
  })
  await eventually(async () => isSent)
  t.ok(bytes.equals(await buffer(body)))
  await eventually(async () => (await readdir(folder)).length === 0)
})

t.test('what fails before the first byte is thrown, later the reader hears of it', async t => {
  const spool = opened(testFolder(t))
  await t.rejects(spool.stream(9, async () => { throw new Error('no card') }), /no card/)
  const body = await spool.stream(9, async sink => {
    const part = sink()
    part.write('begin')
    await eventually(async () => part.bytesWritten === 5)
    await sleep(0)
    throw new Error('cut')
  })
  await t.rejects(buffer(body), /cut/)
  t.equal((await buffer(await spool.stream(0, sending(Buffer.alloc(0))))).length, 0)
})

t.test('another attempt begins anew while nothing was passed on, and is refused afterwards', async t => {
  const spool = opened(testFolder(t))
  const body = await spool.stream(9, async sink => {
    sink().destroy()
    await sending(Buffer.from('a second.'))(sink)
    await eventually(async () => body.readableFlowing !== null || body.readableLength > 0)
    t.throws(sink, { code: 'refused' })
  })
  t.equal(String(await buffer(body)), 'a second.')
})

t.test('who takes nothing is sent away, and makes room for others', async t => {
  const folder = testFolder(t)
  const spool = opened(folder, { mostBytes: MIB, stallMs: 20 })
  const bytes = content(MIB)
  const stopped = await spool.stream(bytes.length, sending(bytes))
  await t.rejects(spool.stream(1, sending(Buffer.from('x'))), { code: 'PRN_ERR_SPOOL_FULL' })
  await eventually(async () => stopped.destroyed)
  t.match(stopped.errored, { code: 'PRN_ERR_READER_STALLED' })
  await eventually(async () => (await readdir(folder)).length === 0)
  t.ok(bytes.equals(await buffer(await spool.stream(bytes.length, sending(bytes)))))
})

t.test('a reader that leaves ends the transfer', async t => {
  let failed: Error | undefined
  const body = await opened(testFolder(t)).stream(9, async sink => {
    const part = sink()
    part.on('error', (error: Error) => { failed = error })
    part.write('begin')
    await new Promise(resolve => part.once('close', resolve))
  })
  body.destroy()
  await eventually(async () => failed !== undefined)
  t.equal(failed?.message, 'the reader has gone')
})

t.test('a paused download over HTTP holds up neither listings nor uploads nor other downloads', async t => {
  const { kernel, name, printer, http } = await bootFiles(t, { models: ['X1C'], listen: true })
  const bytes = content(20 * MIB)
  await printer.card.put('/large.3mf', bytes)
  await printer.card.put('/small.3mf', 'small')
  const address = (file: string) => `http://127.0.0.1:${kernel.apiPort}/api/download_file_from_printer?printer=${name}&src=${file}`
  const paused = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address('/large.3mf'), answer => resolve(answer.pause())).once('error', reject)
  })
  t.teardown(() => { paused.destroy() })
  t.equal(paused.statusCode, 200)
  t.equal(await (await fetch(address('/small.3mf'))).text(), 'small')
  t.equal((await http('POST', '/api/refresh_sdcard_contents', { printer: name })).status, 200)
  let length = 0
  await pipeline(paused, new Writable({ write (chunk: Buffer, _, done) { length += chunk.length; done() } }))
  t.equal(length, bytes.length, 'and goes on where it was')
  const spooled = join(kernel.dataDir, 'plugins', 'files', 'spool')
  await eventually(async () => (await readdir(spooled)).length === 0)
})
