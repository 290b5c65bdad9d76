import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import type { Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'
import { findProgram } from '../../helpers/programs.js'

const program = findProgram('smtpd')
const openssl = findProgram('openssl')

const answers = (path: string) => new Promise<boolean>(resolve => {
  const socket = connect(path, () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

/** Why OpenSMTPD cannot run here; false when it can. Only root starts it, and only one runs at a time. */
export const NO_SMTPD: string | false = (program === undefined && 'smtpd (opensmtpd) is not installed') ||
  (process.getuid?.() !== 0 && 'smtpd is started by root only') ||
  (await answers('/var/run/smtpd.sock') && 'another smtpd runs here')

export const NO_OPENSSL: string | false = openssl === undefined && 'openssl is not installed'

const greets = (port: number) => new Promise<boolean>(resolve => {
  const socket = connect(port, '127.0.0.1')
  socket.once('data', () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

/** OpenSMTPD as Debian ships it, which appends what it takes to a file. Its TLS does not work with OpenSSL 3. */
export async function startSmtpd (t: Test) {
  const folder = testFolder(t)
  chmodSync(folder, 0o755)
  const box = join(folder, 'box') // written by a user without rights
  mkdirSync(box)
  chmodSync(box, 0o777)
  const config = join(folder, 'smtpd.conf')
  const port = await freePort()
  writeFileSync(config, `listen on 127.0.0.1 port ${port}\n` +
    `action "keep" mda "/bin/sh -c 'cat >> ${box}/mail'" virtual { "@" = nobody }\n` +
    'match from any for domain "example.org" action "keep"\n')
  const child = spawn(program ?? '', ['-d', '-f', config], { stdio: 'ignore' })
  t.teardown(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    await gone
  })
  await eventually(() => greets(port), 20_000)
  const file = join(box, 'mail')
  return { port, mail: () => existsSync(file) ? readFileSync(file, 'utf8') : '' }
}

export const USER = 'printers'
export const PASSWORD = 'smtp-secret-1'

/** A mail server that wants STARTTLS and a login. */
export async function startSubmission (t: Test) {
  const folder = testFolder(t)
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  execFileSync(openssl ?? '', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost',
    '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate], { stdio: 'ignore' })
  const mails: string[] = []
  const server = new SMTPServer({
    key: readFileSync(key),
    cert: readFileSync(certificate),
    onAuth: ({ username, password }, session, done) => {
      const isRight = session.secure && username === USER && password === PASSWORD
      done(isRight ? null : new Error(`wrong password ${password}`), isRight ? { user: USER } : undefined)
    },
    onData (stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(Buffer.concat(chunks).toString())
        done()
      })
    }
  })
  server.on('error', () => {}) // of clients that do not trust it
  const { server: socket } = server
  server.listen(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => new Promise<void>(resolve => { server.close(() => resolve()) }))
  return { port: (socket.address() as AddressInfo).port, ca: certificate, mails }
}
