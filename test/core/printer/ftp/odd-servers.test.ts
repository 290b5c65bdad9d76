import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import t, { type Test } from 'tap'
import { createServerQuirks } from '../../../../core/printer/ftp/server-quirks.js'
import { createFtpConnection } from '../../../../core/printer/ftp/ftp-connection.js'
import { openTls } from '../../../../core/index.js'
import { createVirtualPrinter } from '../../../../plugins/emulator/index.js'
import { fullDoor, scriptedServer, type Client, type Script } from './scripted.js'
import { CODE, configOf, openCard, QUICK, SERIAL } from './server.js'
import { testFolder } from '../../../helpers/folder.js'

async function start (t: Test, script: Script) {
  const server = await scriptedServer(t, script)
  const { card, end } = openCard(server.port, undefined)
  t.teardown(end)
  const count = (command: string) => server.told.filter(line => line.split(' ')[0] === command).length
  return { ...server, card, count, folder: testFolder(t, { up: 'abc'.repeat(100_000) }) }
}

const CHUNK = Buffer.alloc(64 * 1024, '-rw-r--r-- 1 0 0 1 Jun 7 2025 a\r\n')

function * endless (): Generator<Buffer> {
  for (;;) yield CHUNK
}

/** Sends without end, until nobody takes it. */
async function sendForever ({ say, data }: Client): Promise<void> {
  say('150 Here it comes.')
  const socket = await data()
  await pipeline(Readable.from(endless()), socket).catch(() => {})
}

t.test('a download without end stops at the size that was told', async t => {
  const sent: Promise<void>[] = []
  const { card, folder, count } = await start(t, {
    SIZE: ({ say }) => say('213 5000'),
    RETR: client => { sent.push(sendForever(client)) }
  })
  const target = join(folder, 'down')
  await t.rejects(card.download('/a.3mf', () => createWriteStream(target)), {
    code: 'too_much', message: 'The printer sent more than the announced 5000 bytes of /a.3mf'
  })
  t.ok((await stat(target)).size <= 5000)
  await Promise.all(sent) // it is hung up on
  t.equal(count('RETR'), 1, 'it is not asked again')
})

t.test('whether a file may be written is asked when it is its turn, and a refusal leaves the old one', async t => {
  const { card, folder, count } = await start(t, { SIZE: ({ say }) => say('213 5') })
  const asked: boolean[] = []
  const checkLast = (replaces: boolean) => { asked.push(replaces); throw new RangeError('in use') }
  await t.rejects(card.upload(join(folder, 'up'), '/a.3mf', { checkLast }), new RangeError('in use'))
  await t.rejects(card.uploadFrom(Readable.from(['abc']), '/a.3mf', { checkLast }), new RangeError('in use'))
  t.same(asked, [true, true], 'once each')
  t.same([count('STOR'), count('DELE')], [0, 0])
})

t.test('nothing is taken of a file that is announced larger than it was listed', async t => {
  const { card, folder, count } = await start(t, {
    SIZE: ({ say }) => say('213 999999999999'),
    RETR: client => { void sendForever(client) }
  })
  const target = join(folder, 'down')
  await t.rejects(card.download('/a.3mf', () => createWriteStream(target), { mostBytes: 5_000 }), {
    code: 'too_much', message: 'The printer announced 999999999999 bytes of /a.3mf, but lists 5000'
  })
  t.equal(count('RETR'), 0)
  await t.rejects(stat(target), { code: 'ENOENT' })
})

t.test('where the server knows no SIZE, the size that it lists counts', async t => {
  const { card, folder } = await start(t, {
    SIZE: ({ say }) => say('502 Command not implemented.'),
    async LIST ({ say, data }) {
      say('150 Here it comes.')
      const socket = await data()
      socket.end('-rw-r--r-- 1 0 0 5000 Jun 7 2025 a.3mf\r\n')
      await once(socket, 'close')
      say('226 Sent.')
    },
    RETR: client => { void sendForever(client) }
  })
  const target = join(folder, 'down')
  await t.rejects(card.download('/a.3mf', () => createWriteStream(target)), { code: 'too_much' })
  t.ok((await stat(target)).size <= 5000)
  await t.rejects(card.download('/b.3mf', () => createWriteStream(target)), { code: 'not_found' })
})

t.test('parts of files and listings without end are cut off too', async t => {
  const { card } = await start(t, {
    SIZE: ({ say }) => say('213 500000'),
    RETR: client => { void sendForever(client) },
    LIST: client => { void sendForever(client) }
  })
  t.equal((await card.read('/a.3mf', 10, 1000)).length, 1000)
  await t.rejects(card.read('/a.3mf', 499_000, 1000), { code: 'unsupported' }, 'more than there is')
  await t.rejects(card.list(), { code: 'too_much' })
})

t.test('deleting ends where each folder holds another one', async t => {
  const { card, count } = await start(t, {
    async LIST ({ say, data }) {
      say('150 Here it comes.')
      const socket = await data()
      socket.end(`drwxr-xr-x 2 0 0 4096 Jun 7 2025 ${'a'.repeat(200)}\r\n`)
      await once(socket, 'close')
      say('226 Sent.')
    }
  })
  await t.rejects(card.removeFolder('/a'), { code: 'bad_path' })
  t.ok(count('LIST') < 10)
  t.equal(count('RMD') + count('DELE'), 0)
})

t.test('a full card is told with the sentence of the server, and nothing is tried again', async t => {
  for (const isReset of [false, true]) {
    const stored: Record<string, number> = {}
    const { card, count, folder } = await start(t, {
      SIZE: ({ say }, path) => say(stored[path] === undefined ? '550 No.' : `213 ${stored[path]}`),
      DELE: ({ say }, path) => { delete stored[path]; say('250 Deleted.') },
      async STOR ({ say, data }, path) {
        say('150 Ok to send data.')
        const socket = await data()
        await once(socket, 'data')
        stored[path] = 70_000
        if (isReset) socket.destroy() // as vsFTPd does, with bytes unread
        say('451 Failure writing to local file.')
      }
    })
    await t.rejects(card.upload(join(folder, 'up'), '/big.3mf'), {
      code: 'full', message: /^The printer stored 70000 of 300000 bytes of \/big\.3mf .*: the card is full, or damaged \(451 Failure writing to local file\.\)$/
    })
    t.equal(count('STOR'), 1)
    t.same(stored, {}, 'nothing stays')
  }
})

t.test('a refused new name blames the name and its folder, not the file that is renamed', async t => {
  const refusing = (reply: string, isFolder: (path: string) => boolean) => start(t, {
    RNFR: ({ say }) => say('350 Ready for RNTO.'),
    RNTO: ({ say }) => say(reply),
    CWD: ({ say }, path) => say(isFolder(path) ? '250 Fine.' : '550 Failed to change directory.')
  })
  for (const reply of ['550 Rename failed.', '553 Could not rename.']) {
    const missing = await refusing(reply, path => path === '/')
    await t.rejects(missing.card.rename('/a.3mf', '/jobs/b.3mf'), {
      code: 'no_folder', message: 'There is no folder /jobs/ on the card: create it first, then rename /a.3mf to /jobs/b.3mf'
    })
    const taken = await refusing(reply, () => true)
    await t.rejects(taken.card.rename('/a.3mf', '/jobs'), { code: 'is_folder', message: 'A folder /jobs/ already exists' })
    const unwilling = await refusing(reply, path => path !== '/jobs/b.3mf')
    await t.rejects(unwilling.card.rename('/a.3mf', '/jobs/b.3mf'), {
      code: 'not_writable', message: `The printer refuses the new name /jobs/b.3mf: the card may be write-protected, or /jobs/ does not take that name (${reply})`
    })
    await t.rejects(unwilling.card.rename('/a', '/a/b'), { code: 'bad_path', message: /into itself/ })
  }
})

const TOO_MANY = 'too many clients are connected to the printer\'s file server; close one, such as a slicer or another ' +
  'file manager \\(421 There are too many connected users, please try later\\.\\)'

t.test('a server with one place, which listening to it takes for a moment, is full and not broken', async t => {
  const printer = createVirtualPrinter({ model: 'X1C' })
  await printer.start()
  t.teardown(() => printer.stop())
  // By TLS it is full, it is silent to whoever listens, and by TLS it is full again; the next try finds a place.
  const door = await fullDoor(t, printer.ports.ftps, before => before === 0 || before === 2)
  const { card, end } = openCard(door.port, printer.fingerprint, {}, { serial: printer.serial })
  t.teardown(end)
  t.ok((await card.list()).length > 5)
  t.ok(door.clients() >= 4)
})

t.test('a server with too many clients: waited for, and told when there is no end to it', async t => {
  const printer = createVirtualPrinter({ model: 'X1C' })
  await printer.start()
  t.teardown(() => printer.stop())
  const through = async (turnedAway: number) => {
    const door = await fullDoor(t, printer.ports.ftps, before => before < turnedAway)
    const { card, end } = openCard(door.port, printer.fingerprint, {}, { serial: printer.serial })
    t.teardown(end)
    return { card, ...door }
  }
  // Each time it is asked twice: once by TLS, and once for what it says.
  const brief = await through(4)
  t.ok((await brief.card.list()).length > 5, 'a place came free')
  const once = await through(2)
  await once.card.rename('/verify_job', '/renamed')
  t.ok((await printer.card.files()).includes('/renamed'), 'nothing was begun, so a rename is tried again too')
  const full = await through(Infinity)
  await t.rejects(full.card.list(), { code: 'too_many_clients', message: new RegExp(`^127\\.0\\.0\\.1:${full.port}: ${TOO_MANY}\\. Tried 3 times\\.$`) })
  t.equal(full.clients(), 6)
  const config = configOf(full.port, { serial: printer.serial })
  const none = { get: () => undefined, set () {} }
  await t.rejects(openTls(config, full.port, none, { signal: AbortSignal.timeout(10_000) }),
    { code: 'login_refused', message: new RegExp(TOO_MANY) })
})

t.test('the same sentence over TLS', async t => {
  const { card, count } = await start(t, { USER: ({ say }) => say('421 There are too many connected users, please try later.') })
  await t.rejects(card.list(), { code: 'too_many_clients', message: new RegExp(TOO_MANY) })
  t.equal(count('USER'), 3)
})

t.test('what else speaks in plain text is no printer', async t => {
  const other = createServer(socket => { socket.on('error', () => {}).end('SSH-2.0-OpenSSH_9.6\r\n') }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.teardown(() => { other.close() })
  const { card, end } = openCard((other.address() as AddressInfo).port, undefined)
  t.teardown(end)
  await t.rejects(card.list(), { code: /unreachable|connection_lost/, message: /^(?!.*too many)/ })
})

t.test('a server that is not there for a moment between two tries is tried again', async t => {
  const server = await scriptedServer(t, {})
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const nobody = (closed.address() as AddressInfo).port
  await new Promise(resolve => closed.close(resolve))
  let port = server.port
  let pauses = 0
  const quirks = createServerQuirks({ maxVersion: 'TLSv1.2', mayBePlain: () => false, onPlain: () => {} })
  const timeouts = { ...QUICK, get retryMs () { if (++pauses === 2) port = server.port; return 1 } }
  const line = createFtpConnection({
    signal: new AbortController().signal,
    onPeer: () => {},
    target: () => ({
      name: 'x1c', host: '127.0.0.1', port, serial: SERIAL, user: 'bblp', accessCode: CODE, timeouts, quirks, trust: { mode: 'pin' }
    })
  })
  t.teardown(line.end)
  const done = line.use({
    what: 'Trying',
    signal: undefined,
    async run (_client, attempt) {
      port = nobody
      if (attempt === 1) throw new Error('the connection went')
      return attempt
    }
  })
  t.equal(await done, 3)
  port = nobody
  await line.end()
  await t.rejects(line.use({ what: 'Trying', signal: undefined, run: async () => 0 }), { code: 'unreachable' })
  t.equal(pauses, 2, 'one that was never there is not waited for')
})

t.test('an upload over a name that is a folder says so', async t => {
  const { card, folder } = await start(t, { STOR: ({ say }) => say('553 Could not create file.') })
  await writeFile(join(folder, 'small'), 'x')
  await t.rejects(card.upload(join(folder, 'small'), '/jobs'), { code: 'is_folder', message: /^\/jobs is a folder on the card: name the file in it too/ })
})
