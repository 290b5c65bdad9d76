import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type ModelName, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { findProgram, pythonThatRuns } from '../../helpers/programs.js'
import { testFolder } from '../../helpers/folder.js'

// The card server as programs see it that know nothing of ours.

const run = promisify(execFile)
const curl = findProgram('curl')
const lftp = findProgram('lftp')
const noCurl = curl === undefined ? 'curl is not installed (Debian package curl)' : false
const noLftp = lftp === undefined ? 'lftp is not installed (Debian package lftp)' : false

const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, at) => at % 251))

async function start (t: Test, model: ModelName): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model })
  await printer.start()
  t.teardown(() => printer.stop())
  await printer.card.put('/cache/a b.3mf', CONTENT)
  return printer
}

const urlOf = ({ ports, accessCode }: VirtualPrinter, path = '') => `ftps://bblp:${accessCode}@127.0.0.1:${ports.ftps}/${path}`

/** What curl writes, or how it failed. */
async function fetched (printer: VirtualPrinter, path: string, args: readonly string[] = []) {
  const options = { encoding: 'buffer' as const, maxBuffer: 2 ** 24 }
  return await run(curl ?? '', ['-sSk', '--max-time', '20', ...args, urlOf(printer, path)], options)
    .then(({ stdout }) => ({ code: 0, stdout }),
      ({ code, stderr }) => ({ code, stdout: Buffer.alloc(0), words: String(stderr) }))
}

for (const version of ['1.2', '1.3']) {
  t.test(`curl lists, reads and writes with TLS up to ${version}`, { skip: noCurl }, async t => {
    const printer = await start(t, 'X1C')
    const tls = ['--tls-max', version]
    t.match((await fetched(printer, '', tls)).stdout.toString(), /cache/)
    t.same((await fetched(printer, 'cache/a%20b.3mf', tls)).stdout, CONTENT)
    const local = join(testFolder(t), 'local')
    await writeFile(local, 'content')
    t.hasStrict(await fetched(printer, 'new', [...tls, '-T', local]), { code: 0 })
    t.equal((await printer.card.get('/new'))?.toString(), 'content')
  })
}

t.test('curl reads the end of a file where the server can', { skip: noCurl }, async t => {
  const printer = await start(t, 'X1C')
  t.same((await fetched(printer, 'cache/a%20b.3mf', ['-C', '150000'])).stdout, CONTENT.subarray(150_000))
})

t.test('the small server refuses a part of a file, and gives the whole', { skip: noCurl }, async t => {
  const printer = await start(t, 'A1')
  const couldNotUseRest = 31
  t.match(await fetched(printer, 'cache/a%20b.3mf', ['-C', '1000']), { code: couldNotUseRest })
  t.same((await fetched(printer, 'cache/a%20b.3mf')).stdout, CONTENT)
})

t.test('curl that is told to forget sessions gets an orderly end and no data', { skip: noCurl }, async t => {
  const printer = await start(t, 'X1C')
  const transferClosedEarly = 18
  t.match(await fetched(printer, 'cache/a%20b.3mf', ['--no-sessionid']), { code: transferClosedEarly, words: /200000 bytes remaining/ })
})

t.test('lftp mirrors, renames, and goes on with what is half there, both ways', { skip: noLftp }, async t => {
  const printer = await start(t, 'X1C')
  await printer.card.put('/put', CONTENT.subarray(0, 500))
  const folder = testFolder(t)
  await writeFile(join(folder, 'half'), CONTENT.subarray(0, 1000))
  const commands = ['set ssl:verify-certificate no', 'set net:max-retries 1', 'set net:timeout 10', `lcd ${folder}`,
    'mirror /cache mirrored', 'get -c "/cache/a b.3mf" -o half', 'put -c half -o /put', 'mv /put /moved', 'rm "/cache/a b.3mf"', 'ls /', 'bye']
  const { stdout } = await run(lftp ?? '', ['-e', commands.join('; '), urlOf(printer)], { timeout: 30_000 })
  t.match(stdout, /moved/)
  t.same(await readFile(join(folder, 'mirrored', 'a b.3mf')), CONTENT)
  t.same(await readFile(join(folder, 'half')), CONTENT)
  t.same(await printer.card.get('/moved'), CONTENT)
  t.equal(await printer.card.get('/cache/a b.3mf'), undefined)
})

const python = pythonThatRuns('import ftplib, ssl')

/** Sessions of Python's own FTP client over implicit TLS: each lists, writes, reads and says goodbye. */
const SESSIONS = `
import ftplib, io, socket, ssl, sys
class Implicit(ftplib.FTP_TLS):
    _sock = None
    @property
    def sock(self): return self._sock
    @sock.setter
    def sock(self, value):
        if value is not None and not isinstance(value, ssl.SSLSocket): value = self.context.wrap_socket(value)
        self._sock = value
    def ntransfercmd(self, cmd, rest=None):
        conn, size = ftplib.FTP.ntransfercmd(self, cmd, rest)
        return self.context.wrap_socket(conn, session=self.sock.session), size
port, code, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
context = ssl._create_unverified_context()
context.maximum_version = ssl.TLSVersion.TLSv1_2
for at in range(count):
    ftp = Implicit(context=context, timeout=20)
    ftp.connect('127.0.0.1', port)
    ftp.login('bblp', code)
    ftp.prot_p()
    if at % 10 == 0:
        ftp.storbinary('STOR /python', io.BytesIO(b'x' * 5000))
        parts = []
        ftp.retrbinary('RETR /python', parts.append)
        assert b''.join(parts) == b'x' * 5000
    said = ftp.quit()
    assert said.startswith('221'), said
print('good', count)
`

t.test('every session of Python ends with its farewell', { skip: python === undefined ? 'python3 is not installed' : false }, async t => {
  const printer = await start(t, 'X1C')
  const script = join(testFolder(t), 'sessions.py')
  await writeFile(script, SESSIONS)
  const { stdout } = await run(python ?? '', [script, String(printer.ports.ftps), printer.accessCode, '300'])
  t.match(stdout, /good 300/)
})
