import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { request, type RequestOptions } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import WebSocket from 'ws'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { freePort } from '../../helpers/ports.js'
import { findProgram } from '../../helpers/programs.js'

const nginx = findProgram('nginx')
const openssl = findProgram('openssl')
const skip = nginx === undefined ? 'nginx is not installed' : openssl === undefined ? 'openssl is not installed' : false

const NAME = 'printers.example.org'
const TOKEN = 'a long random text'
const GUIDE = join(import.meta.dirname, '..', '..', '..', 'docs', 'guides', 'reverse-proxy.md')

/** The example of the guide as it stands there, but for ports and files. */
function exampleFor (port: number, apiPort: number, folder: string): string {
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? []
  return block.replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll('/etc/ssl/', `${folder}/`).replace('127.0.0.1:49152', `127.0.0.1:${apiPort}`)
}

async function startNginx (t: Test, apiPort: number) {
  const [folder, port] = [testFolder(t), await freePort()]
  execFileSync(openssl ?? '', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${NAME}`,
    '-addext', `subjectAltName=DNS:${NAME}`, '-keyout', join(folder, 'printers.key'), '-out', join(folder, 'printers.pem')],
  { stdio: 'ignore' })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map(name => `${name}_temp_path ${join(folder, name)};`).join('\n')
  writeFileSync(join(folder, 'nginx.conf'), `
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')};
    events { worker_connections 64; }
    http { access_log off; ${temporary}
    ${exampleFor(port, apiPort, folder)} }`)
  const child = spawn(nginx ?? '', ['-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  t.teardown(async () => { child.kill('SIGTERM'); await ended })
  return { port, ca: readFileSync(join(folder, 'printers.pem'), 'utf8') }
}

t.test('behind nginx, configured as the guide says', { skip }, async t => {
  const apiPort = await freePort()
  const [, json = ''] = /```json\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8')) ?? []
  const { api } = JSON.parse(json) as { api: { token: string } }
  t.equal(api.token, TOKEN)
  await boot(t, { models: ['P1S'], listen: true, config: { api, ports: { preferred: apiPort } } })
  const { port, ca } = await startNginx(t, apiPort)
  const login = { authorization: `Bearer ${TOKEN}` }
  const reach = { host: '127.0.0.1', port, ca, servername: NAME }
  const say = async (path: string, options: RequestOptions = {}, body: string | Buffer = '') => {
    const asked = request({ ...reach, path, ...options, headers: { host: NAME, ...options.headers } })
    asked.end(body)
    const [reply] = await once(asked, 'response')
    return { status: reply.statusCode as number, headers: reply.headers, body: await text(reply) }
  }
  await eventually(async () => (await say('/livez', { headers: login })).status === 200)

  await t.test('pages, answers and addresses', async t => {
    t.equal((await say('/api/printers')).status, 401)
    t.match(await say('/', { headers: { accept: 'text/html' } }), { status: 303, headers: { location: /^\/login/ } })
    t.match(JSON.parse((await say('/api/server_info', { headers: login })).body), { api_url: `https://${NAME}/api` })
    const page = await say('/', { headers: { ...login, accept: 'text/html' } })
    t.match(page, { status: 200, body: /<html/ })
    const cookies = await say('/login', {
      method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded', origin: `https://${NAME}` }
    }, `token=${encodeURIComponent(TOKEN)}`)
    t.match(cookies, { status: 303, headers: { 'set-cookie': [/; Secure/] } })
  })

  await t.test('what never ends comes at once', async t => {
    const options = { ca, servername: NAME, headers: { host: NAME, ...login } } as WebSocket.ClientOptions
    const socket = new WebSocket(`wss://127.0.0.1:${port}/api/live?topics=state`, [], options)
    const [first] = await once(socket, 'message')
    t.match(String(first), /"topic":"state"/)
    socket.close()
    const events = request({ ...reach, path: '/api/live?topics=state', headers: { host: NAME, accept: 'text/event-stream', ...login } })
    events.end()
    const [stream] = await once(events, 'response')
    t.match(stream.headers['content-type'], 'text/event-stream')
    let seen = ''
    for await (const chunk of stream) if (/event: state/.test(seen += String(chunk))) break
    t.match(seen, /^retry/)
    const hello = await say('/mcp', {
      method: 'POST',
      headers: { ...login, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    }, JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    }))
    t.match(hello, { status: 200, body: /serverInfo/ })
  })

  await t.test('large files pass as they come', async t => {
    const content = Buffer.alloc(48 * 1024 * 1024, 'x')
    const head = '--b\r\ncontent-disposition: form-data; name="myFile"; filename="large.3mf"\r\n\r\n'
    const sent = await say('/api/upload_file_to_host', {
      method: 'POST', headers: { ...login, 'content-type': 'multipart/form-data; boundary=b' }
    }, Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]))
    t.equal(sent.status, 200, sent.body)
  })

  await t.test('a client cannot make itself another to try tokens', async t => {
    const wrong = async (at: number) => (await say('/login', {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded', origin: `https://${NAME}`, 'x-forwarded-for': `203.0.113.${at}`
      }
    }, 'token=wrong')).status
    const tries: number[] = []
    for (let at = 0; at < 12; at++) tries.push(await wrong(at))
    t.match(tries, [...Array.from({ length: 10 }, () => 401), 429])
  })
})
