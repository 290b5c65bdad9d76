import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter, type VirtualPrinterOptions } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'

// Spoken by hand, so that no client's kindness hides a mistake.

interface Talk { readonly socket: TLSSocket, ask (line: string): Promise<string>, port (): Promise<number> }

const dial = async (port: number, session?: Buffer): Promise<TLSSocket> => {
  const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, maxVersion: 'TLSv1.2', ...(session && { session }) })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  return socket
}

async function talk (t: Test, printer: VirtualPrinter, code = printer.accessCode): Promise<Talk> {
  const socket = await dial(printer.ports.ftps)
  t.teardown(() => socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => { text += String(chunk) })
  const reply = async () => {
    await eventually(() => /^\d{3} .*\r\n/m.test(text))
    const said = text
    text = ''
    return said.trim()
  }
  await reply()
  const ask = async (line: string) => { socket.write(`${line}\r\n`); return await reply() }
  await ask('USER bblp')
  await ask(`PASS ${code}`)
  return { socket, ask, port: async () => Number(/\|\|\|(\d+)\|/.exec(await ask('EPSV'))?.[1]) }
}

async function start (t: Test, options: Partial<VirtualPrinterOptions> = {}): Promise<VirtualPrinter> {
  const printer = createVirtualPrinter({ model: 'X1C', ...options })
  await printer.start()
  t.teardown(() => printer.stop())
  return printer
}

t.test('replies of the large server', async t => {
  const { ask } = await talk(t, await start(t))
  const said: readonly (readonly [string, RegExp])[] = [
    ['PBSZ 0', /^200 /],
    ['PROT C', /^536 /],
    ['PROT P', /^200 /],
    ['TYPE I', /^200 /],
    ['SYST', /^215 UNIX Type: L8/],
    ['PWD', /^257 "\/" is the current directory/],
    ['FEAT', /^211-Features:[^]* REST STREAM[^]*211 End/],
    ['MLSD /', /^500 /],
    ['REST 100', /^350 /],
    ['SIZE /verify_job', /^213 16$/],
    ['SIZE /cache', /^550 /],
    ['MDTM /verify_job', /^213 \d{14}$/],
    ['CWD /nowhere', /^550 /],
    ['CWD cache', /^250 /],
    ['CDUP', /^250 /],
    ['MKD /new', /^257 "\/new" created/],
    ['RMD /new', /^250 /],
    ['RNTO /x', /^503 /],
    ['RNFR /verify_job', /^350 /],
    ['RNTO /x', /^250 /],
    ['DELE /../../x', /^250 /],
    ['PASV', /^227 .*\(0,0,0,0,\d+,\d+\)/],
    ['NOOP', /^200 /]
  ]
  for (const [line, wanted] of said) t.match(await ask(line), wanted, line)
})

t.test('replies of the small server', async t => {
  const { ask } = await talk(t, await start(t, { model: 'A1_MINI' }))
  t.match(await ask('FEAT'), /^502 /)
  t.match(await ask('REST 100'), /^502 /)
  t.match(await ask('PROT C'), /^200 /)
})

t.test('who may log in', async t => {
  const printer = await start(t)
  const { ask } = await talk(t, printer, 'wrong')
  t.match(await ask('PWD'), /^530 /)
  t.match(await ask('PASS nor this'), /^530 /)
  const lift = printer.faults.rejectAccessCode()
  t.match(await ask(`PASS ${printer.accessCode}`), /^530 /)
  lift()
  t.match(await ask(`PASS ${printer.accessCode}`), /^230 /)
  t.match(await ask('PWD'), /^257 /)
})

t.test('a data connection must resume the session, where the family insists', async t => {
  for (const [model, wanted] of [['X1C', /522 SSL connection failed/], ['A1', /226 /]] as const) {
    const printer = await start(t, { model })
    const { ask, port, socket } = await talk(t, printer)
    await ask('PROT P')
    const data = await port()
    socket.write('LIST\r\n')
    const raw = await dial(data).catch(() => undefined)
    raw?.resume()
    let text = ''
    socket.on('data', chunk => { text += String(chunk) })
    await eventually(() => wanted.test(text))
    t.pass(model)
  }
})

t.test('a refused data connection is answered in order, and the client may go on', async t => {
  const { ask, port, socket } = await talk(t, await start(t))
  await ask('PROT P')
  const data = await port()
  let text = ''
  socket.on('data', chunk => { text += String(chunk) })
  socket.write('LIST\r\nNOOP\r\n') // it does not wait for the end
  const raw = await dial(data)
  const ended = once(raw, 'end')
  raw.resume()
  await ended // with a goodbye, and not by a reset
  await eventually(() => /200 NOOP/.test(text))
  t.match(text, /^150 [^]*\r\n522 SSL connection failed: session reuse required\r\n200 NOOP ok\.\r\n$/)
})

t.test('nothing is announced before the data connection is there', async t => {
  const { ask, port, socket } = await talk(t, await start(t, { model: 'A1' }))
  await ask('PROT C')
  const data = await port()
  let text = ''
  socket.on('data', chunk => { text += String(chunk) })
  socket.write('LIST\r\n')
  t.equal(text, '')
  connectTcp(data, '127.0.0.1').resume()
  await eventually(() => /226 /.test(text))
  t.match(text, /^150 [^]*226 /)
})

t.test('an upload goes on from where the client says', async t => {
  const printer = await start(t)
  await printer.card.put('/file', 'abcdef')
  const { ask, port, socket } = await talk(t, printer)
  t.match(await ask('REST 3'), /^350 /)
  const data = connectTcp(await port(), '127.0.0.1')
  let text = ''
  socket.on('data', chunk => { text += String(chunk) })
  socket.write('STOR /file\r\n')
  data.end('XY')
  await eventually(() => /226 /.test(text))
  t.equal((await printer.card.get('/file'))?.toString(), 'abcXY')
})

t.test('no greeting without a handshake', async t => {
  const printer = await start(t)
  const socket = connectTcp(printer.ports.ftps, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.on('error', () => {})
  let heard = 0
  socket.on('data', chunk => { heard += chunk.length })
  socket.write('USER bblp\r\n')
  await eventually(() => socket.destroyed || socket.readableEnded).catch(() => {})
  t.ok(heard < 20, 'a TLS alert at most')
})

t.test('the card from outside: files, absence, and the job in a file', async t => {
  const printer = await start(t, {
    readJob: (archive, plate) => archive.toString() === 'job' ? { layers: 7 * plate, minutes: 1 } : undefined
  })
  await printer.card.put('/cache/a b.gcode.3mf', 'job')
  t.same(await printer.jobOf('/cache/a b.gcode.3mf', 2), { layers: 14, minutes: 1 })
  t.equal(await printer.jobOf('/cache/none.3mf', 1), undefined)
  t.equal((await printer.card.get('/cache/a b.gcode.3mf'))?.toString(), 'job')
  t.equal(printer.report().sdcard, true)
  printer.card.eject()
  t.equal(printer.report().sdcard, false)
  t.equal(await printer.jobOf('/cache/a b.gcode.3mf', 2), undefined)
})

t.test('it comes back on the same port with its card, and shows a changed certificate', async t => {
  const printer = await start(t)
  const { ftps } = printer.ports
  await printer.card.put('/a', 'x')
  await printer.stop()
  await printer.start()
  t.equal(printer.ports.ftps, ftps)
  t.ok((await printer.card.files()).includes('/a'))
  const fingerprint = await printer.faults.changeCertificate()
  const socket = await dial(ftps)
  t.equal(socket.getPeerCertificate().fingerprint256, fingerprint)
  socket.destroy()
})
