import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { get as getPlain, type IncomingMessage } from 'node:http'
import { get, request, type RequestOptions } from 'node:https'
import { connect as connectPlain } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect, type TLSSocket } from 'node:tls'
import t from 'tap'
import WebSocket from 'ws'
import { createAuthority, issueCertificate } from '../../../plugins/https/authority.js'
import { nameConstraints } from '../../../plugins/https/constraints.js'
import { Certificates } from '../../../plugins/https/certificates.js'
import { boot, type Booted } from '../../helpers/boot.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'
import { findProgram } from '../../helpers/programs.js'

const openssl = findProgram('openssl')
const TOKEN = 'a long random text'

async function listening (t: Parameters<typeof boot>[0], config: Record<string, unknown> = {}) {
  const port = await freePort()
  const dataDir = testFolder(t)
  const booted = await boot(t, { models: ['P1S'], listen: true, config: { dataDir, ports: { preferred: port }, ...config } })
  return { ...booted, port, dataDir }
}

async function answerOf (asked: ReturnType<typeof get>) {
  const [response] = await once(asked, 'response') as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, body: await text(response) }
}

const rootOf = async ({ kernel }: Booted) => (await kernel.app.inject('/https/ca.crt')).body

t.test('plain and encrypted requests on one port', async t => {
  const booted = await listening(t)
  const { port } = booted
  const ca = await rootOf(booted)
  const ask = (path: string, options: RequestOptions = {}) =>
    answerOf(get({ host: '127.0.0.1', port, path, ca, ...options }))

  t.match(await answerOf(getPlain({ port, path: '/livez' })), { status: 200 }, 'as ever')
  t.match(await ask('/livez'), { status: 200 }, 'by address, with the root alone')
  t.match(await ask('/livez', { host: 'localhost' }), { status: 200 })
  await t.rejects(answerOf(get({ host: '127.0.0.1', port, path: '/livez' })), { message: /self-signed|unable to/ })
  await t.rejects(ask('/livez', { servername: 'example.org' }), { code: 'ERR_TLS_CERT_ALTNAME_INVALID' })

  const { body } = await booted.http('GET', '/api/https')
  t.match(body, { root: { path: '/https/ca.crt', fingerprint: new X509Certificate(ca).fingerprint256 }, redirects: false })
  t.ok((body.addresses as string[]).includes(`https://${hostname().toLowerCase()}:${port}`))

  const socket = new WebSocket(`wss://127.0.0.1:${port}/api/live`, { ca })
  await once(socket, 'open')
  socket.close()
  await once(socket, 'close')

  const post = (origin: string) => {
    const headers = { origin, 'content-type': 'application/json' }
    const asked = request({ host: '127.0.0.1', port, ca, method: 'POST', path: '/api/trigger_printer_refresh', headers })
    asked.end('{}')
    return answerOf(asked as ReturnType<typeof get>)
  }
  t.match(await post(`https://127.0.0.1:${port}`), { status: 200 })
  t.match(await post(`http://127.0.0.1:${port}`), { status: 403 }, 'a page that somebody may have changed on its way')

  const large = await answerOf(get({ host: '127.0.0.1', port, path: '/api/openapi.json', ca }))
  t.ok(JSON.parse(large.body), 'many records of TLS')
})

t.test('what comes from hostile neighbours neither stops others nor the service', async t => {
  const booted = await listening(t)
  const { port } = booted
  const ca = await rootOf(booted)
  const hello = Buffer.from('160301020001', 'hex')
  const rubbish = [
    hello, Buffer.concat([hello, Buffer.alloc(512, 0xFF)]), Buffer.of(0x16), Buffer.of(0x80, 0x2E), Buffer.of(0)
  ]
  for (const bytes of rubbish) {
    const socket = connectPlain(port, '127.0.0.1')
    socket.resume().on('error', () => {})
    socket.write(bytes)
    if (bytes.length < 10) socket.end()
    await once(socket, 'close').catch(() => {})
  }
  const old = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ca, ciphers: 'DEFAULT:@SECLEVEL=0' })
  await t.rejects(once(old, 'secureConnect'), 'versions of TLS that are broken')
  const gone: TLSSocket = connect({ port, host: '127.0.0.1', ca, rejectUnauthorized: false })
  await once(gone, 'secureConnect')
  gone.destroy()
  t.match(await answerOf(getPlain({ port, path: '/livez' })), { status: 200 })
  t.match(await answerOf(get({ port, host: '127.0.0.1', path: '/livez', ca })), { status: 200 })
})

t.test('with a login: the root is open to everyone, cookies are for encrypted connections, pages lead there by choice', async t => {
  const booted = await listening(t, { api: { token: TOKEN, allowedHosts: ['printers.lan'] }, plugins: { https: { redirect: true } } })
  const { port, kernel, dataDir } = booted
  const host = `printers.lan:${port}`
  const plain = (url: string, headers: Record<string, string> = {}) =>
    kernel.app.inject({ url, headers: { host, ...headers }, remoteAddress: '192.168.7.9' })
  t.match(await plain('/https/ca.crt'), { statusCode: 200 })
  t.match(await plain('/api/https'), { statusCode: 401 })
  const page = { accept: 'text/html', authorization: `Bearer ${TOKEN}` }
  t.match(await plain('/printer?x=1', page), { statusCode: 307, headers: { location: `https://${host}/printer?x=1` } })
  t.match(await plain('/encryption', page), { statusCode: 200 }, 'says how to trust it')
  t.match(await plain('/api/printer', { authorization: page.authorization }), { statusCode: 200 }, 'programs stay as they are')

  const ca = await rootOf(booted)
  const login = request({
    host: '127.0.0.1',
    servername: 'printers.lan',
    port,
    ca,
    method: 'POST',
    path: '/login',
    headers: { host, 'content-type': 'application/x-www-form-urlencoded' }
  })
  login.end(new URLSearchParams({ token: TOKEN }).toString())
  const { status, headers } = await answerOf(login as ReturnType<typeof get>)
  t.match({ status, cookie: headers['set-cookie']?.[0] }, { status: 303, cookie: /; Secure$/ }, 'a name of the configuration is vouched for')
  const path = join(dataDir, 'secrets', 'https-root.json')
  t.equal(statSync(path).mode & 0o077, 0, 'nobody else reads the key')
  const answers = await Promise.all(['/api/https', '/encryption', '/api/plugin_settings'].map(url => plain(url, page)))
  t.notOk(answers.some(({ body }) => body.includes('PRIVATE KEY')))
})

t.test('the root vouches for this machine and private networks only', { skip: openssl === undefined && 'no openssl' }, async t => {
  const folder = testFolder(t)
  const now = Date.now()
  const authority = await createAuthority('prnd on "x, CN=y"', ['workshop'], now)
  writeFileSync(join(folder, 'root.pem'), authority.certificate)
  const isValid = async (...names: string[]) => {
    writeFileSync(join(folder, 'leaf.pem'), (await issueCertificate(authority, names, now)).certificate)
    try {
      execFileSync(openssl ?? '', ['verify', '-x509_strict', '-CAfile', join(folder, 'root.pem'), join(folder, 'leaf.pem')], { stdio: 'pipe' })
      return true
    } catch {
      return false
    }
  }
  t.ok(await isValid('workshop', 'workshop.local', 'localhost', '192.168.1.5', '10.9.8.7', '::1', 'fd12:3456::9', 'fe80::1:2'))
  for (const name of ['example.org', 'bank.com', '8.8.8.8', '2001:db8::1', '172.32.0.1', 'notworkshop']) t.notOk(await isValid('workshop', name), name)
})

t.test('lengths are in their shortest form, without which browsers refuse the whole root', async t => {
  for (const count of [0, 5, 40]) {
    const { der } = nameConstraints(Array.from({ length: count }, (_, index) => `printer-${index}.example.org`))
    const [, first = 0, second = 0] = der
    t.equal(first < 0x80 ? 2 + first : first === 0x81 ? 3 + second : 4 + der.readUInt16BE(2), der.length)
    t.ok(first < 0x80 || (first === 0x81 ? second >= 0x80 : second > 0), `${der.length} bytes`)
  }
})

t.test('certificates that were made while the clock was ahead are of use once it is right, and the root stays', async t => {
  let now = Date.now() + 730 * 86_400_000
  const open = () => new Certificates({ dataDir, names: [], now: () => now, warn: t.fail })
  const dataDir = testFolder(t)
  const certificates = open()
  const ahead = await certificates.contextFor('127.0.0.1')
  const { certificate } = await certificates.authority()
  now = Date.now()
  t.ok(Date.parse(new X509Certificate(certificate).validFrom) < now, 'the root is valid')
  const right = await certificates.contextFor('127.0.0.1')
  t.not(right, ahead, 'the other is made anew')
  t.equal(await certificates.contextFor('127.0.0.1'), right, 'once')
  t.equal((await open().authority()).certificate, certificate)
})

t.test('certificates are renewed, kept over restarts, and may be the user\'s own', async t => {
  const dataDir = testFolder(t)
  let now = Date.now()
  const warnings: string[] = []
  const open = (files?: { certificate: string, key: string }) =>
    new Certificates({ dataDir, names: [], files, now: () => now, warn: message => { warnings.push(message) } })
  const certificates = open()
  const first = await certificates.contextFor('127.0.0.1')
  t.equal(await certificates.contextFor('::ffff:127.0.0.1'), first)
  t.equal(await certificates.contextFor('203.0.113.9'), first, 'no address of this machine')
  now += 70 * 86_400_000
  t.not(await certificates.contextFor('127.0.0.1'), first, 'a month before its end')
  const { certificate } = await certificates.authority()
  t.equal((await open().authority()).certificate, certificate, 'devices go on trusting it')
  now += 3650 * 86_400_000
  t.not((await open().authority()).certificate, certificate)

  const folder = testFolder(t)
  const files = { certificate: join(folder, 'own.pem'), key: join(folder, 'own.key') }
  const write = async (names: string[]) => {
    const made = await issueCertificate(await createAuthority('own', names, now), names, now)
    writeFileSync(files.certificate, made.certificate)
    writeFileSync(files.key, made.key)
  }
  await write(['one.example.org'])
  const own = open(files)
  const before = await own.contextFor('127.0.0.1')
  await write(['two.example.org'])
  utimesSync(files.key, new Date(), new Date(Date.now() + 5000))
  t.equal(await own.contextFor('127.0.0.1'), before, 'not at every connection')
  now += 61_000
  const renewed = await own.contextFor('127.0.0.1')
  t.not(renewed, before)
  writeFileSync(files.key, 'half a file')
  now += 61_000
  t.equal(await own.contextFor('127.0.0.1'), renewed, 'the last good one')
  t.match(warnings, [/renewed certificate .* cannot be used/])
  t.ok(readFileSync(join(dataDir, 'secrets', 'https-root.json'), 'utf8').includes('PRIVATE KEY'))

  await t.rejects(boot(t, { models: [], config: { plugins: { https: { certificate: files.certificate } } } }), { message: /go together/ })
  await t.rejects(boot(t, { models: [], config: { plugins: { https: files } } }), { message: /own\.key cannot be used/ })
})
