import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { openTargets, type Options, type Target } from '../../../plugins/notify/options.js'
import { kinds } from '../../../plugins/notify/targets/index.js'
import { NotDelivered, type Message } from '../../../plugins/notify/targets/types.js'
import { testFolder } from '../../helpers/folder.js'
import { BROKEN, HANGS_UP, SILENT, startReceiver, type Received } from './receiver.js'

const AT = Date.UTC(2026, 0, 2, 3, 4, 5)
const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xd9])

const message = (more: Partial<Message> = {}): Message => ({
  id: 'abc-phone',
  title: 'x1c: Print finished',
  text: 'Grüße, plate 1',
  printer: 'x1c',
  alert: 'job_finished',
  severity: 'high',
  at: new Date(AT).toISOString(),
  payload: { subtask_name: 'Grüße', plate_num: 1 },
  ...more
})
const picture = { kind: 'picture', name: 'picture.jpg', type: 'image/jpeg', bytes: JPEG } as const
const clip = { kind: 'clip', name: 'clip.mp4', type: 'video/mp4', bytes: Buffer.from('video') } as const

async function open (options: object, masked: string[] = []) {
  const targets = await openTargets({ targets: { phone: options } } as unknown as Options, {
    kinds, mask: secret => masked.push(secret), now: () => Date.now()
  })
  const target = targets.get('phone') as Target
  return (one: Message, signal = AbortSignal.timeout(20_000)) => target.send(one, signal)
}

const failure = async (sending: Promise<void>): Promise<NotDelivered> => {
  const error = await sending.then(() => undefined, (reason: unknown) => reason)
  if (error instanceof Error) return error as NotDelivered
  throw new Error('it was taken')
}

t.test('a target whose kind a left out plugin brings keeps its messages; otherwise an unknown kind stops the start', async t => {
  const options = { targets: { phone: { type: 'pigeon' } } } as unknown as Options
  const context = { kinds, mask: () => {}, now: () => Date.now() }
  await t.rejects(openTargets(options, context), { code: 'PRN_ERR_CONFIG', message: /there is no type 'pigeon'/ })
  const target = (await openTargets(options, { ...context, lacksPlugins: true })).get('phone')
  const error = await failure(target?.send(message(), AbortSignal.timeout(1_000)) as Promise<void>)
  t.match({ ...error, message: error.message }, { message: "no running plugin sends messages by 'pigeon'", final: false }, 'it is tried again')
})

t.test('a webhook is signed as Standard Webhooks says, and tells the same id each time', async t => {
  const { url, received, json } = await startReceiver(t)
  const secret = `whsec_${Buffer.from('a key of twenty-four byt').toString('base64')}`
  const send = await open({ type: 'webhook', url: `${url}/hook`, secret, headers: { 'X-Key': 'abc' } })
  await send(message({ attachment: picture }))
  const { headers, bytes, path } = received[0] as Received
  t.equal(path, '/hook')
  t.match(headers, { 'webhook-id': 'abc-phone', 'content-type': 'application/json', 'x-key': 'abc' })
  t.match(json(0), {
    id: 'abc-phone', title: 'x1c: Print finished', payload: { plate_num: 1 }, attachment: { base64: JPEG.toString('base64') }
  })
  const hook = new Webhook(secret)
  t.match(hook.verify(bytes.toString(), headers as Record<string, string>), { alert: 'job_finished' })
  t.throws(() => hook.verify(bytes.toString().replace('x1c', 'x1d'), headers as Record<string, string>))
})

t.test('a body of the configuration is filled in, and nothing that a printer says changes its form', async t => {
  const { url, json, received } = await startReceiver(t)
  const body = { content: '{{title}}!', plate: '{{payload.plate_num}}', list: ['{{payload.nothing}}'], fix: 7 }
  const send = await open({ type: 'webhook', url, body })
  await send(message({ title: '", "admin": true, "x": "' }))
  t.same(json(0), { content: '", "admin": true, "x": "!', plate: 1, list: [null], fix: 7 })
  await (await open({ type: 'webhook', url, body: '{{printer}} {{payload}} {{payload.constructor}}' }))(message())
  t.equal(received[1]?.bytes.toString(), 'x1c {"subtask_name":"Grüße","plate_num":1} ')
  t.match(received[1]?.headers, { 'content-type': 'text/plain; charset=utf-8' })
})

t.test('what the address holds of a login is sent as one', async t => {
  const { url, received } = await startReceiver(t)
  await (await open({ type: 'webhook', url: url.replace('://', '://me:pa%20ss@') }))(message())
  t.equal(received[0]?.headers.authorization, `Basic ${Buffer.from('me:pa ss').toString('base64')}`)
})

t.test('ntfy: title and text in any letters, a picture with a name, and an id against repetition', async t => {
  const { url, received } = await startReceiver(t)
  const send = await open({ type: 'ntfy', server: `${url}/sub`, topic: 'my/topic', token: 'tk_secret' })
  await send(message())
  t.match(received[0], { path: '/sub/my%2Ftopic', headers: { authorization: 'Bearer tk_secret', 'x-priority': '4', 'x-sequence-id': 'abc-phone' } })
  t.equal(received[0]?.bytes.toString(), 'Grüße, plate 1')
  t.equal(received[0]?.headers['x-title'], `=?UTF-8?B?${Buffer.from('x1c: Print finished').toString('base64')}?=`)
  await send(message({ attachment: picture }))
  t.same(received[1]?.bytes, JPEG)
  t.match(received[1]?.headers, { 'x-filename': 'picture.jpg', 'x-message': /^=\?UTF-8\?B\?/ })
})

t.test('Telegram: text, photo and video, without markup', async t => {
  const { url, received, form } = await startReceiver(t)
  const send = await open({ type: 'telegram', server: url, token: '123:bot-secret', chat: -100 })
  await send(message({ text: '*x* <b>' }))
  await send(message({ attachment: picture }))
  await send(message({ attachment: clip }))
  t.same(received.map(({ path }) => path), ['sendMessage', 'sendPhoto', 'sendVideo'].map(way => `/bot123:bot-secret/${way}`))
  const text = await form(0)
  t.same([text.get('chat_id'), text.get('text'), text.has('parse_mode')], ['-100', 'x1c: Print finished\r\n*x* <b>', false])
  t.same(Buffer.from(await ((await form(1)).get('photo') as File).arrayBuffer()), JPEG)
  t.equal(((await form(2)).get('video') as File).name, 'clip.mp4')
  t.equal((await form(2)).get('caption'), 'x1c: Print finished\r\nGrüße, plate 1')
})

t.test('Discord: nobody is called, and what a job is called is no markup', async t => {
  const { url, form } = await startReceiver(t)
  const send = await open({ type: 'discord', url: `${url}/api/webhooks/1/token` })
  await send(message({ text: '@everyone [click](http://evil.example)', attachment: picture }))
  const payload = JSON.parse(String((await form(0)).get('payload_json')))
  t.same(payload.allowed_mentions, { parse: [] })
  t.equal(payload.content.split('\n')[1], String.raw`\@everyone \[click\]\(http\://evil.example\)`)
  t.equal(((await form(0)).get('files[0]') as File).name, 'picture.jpg')
})

t.test('Discord: a name of nothing but markup stays within what is accepted', async t => {
  const { url, form } = await startReceiver(t)
  const send = await open({ type: 'discord', url: `${url}/api/webhooks/1/token` })
  for (const unit of ['_', '_😀']) await send(message({ title: '_'.repeat(250), text: unit.repeat(1_000) }))
  const contents = [await form(0), await form(1)].map(sent => JSON.parse(String(sent.get('payload_json'))).content)
  for (const { length } of contents) t.ok(length <= 2_000, `${length} characters`)
  t.match(contents[1], /\\_…\*\*\n(\\_😀)+(\\_)?…$/u, 'and no pair is cut')
})

t.test('Slack: signs that call everybody are only shown', async t => {
  const { url, json } = await startReceiver(t)
  await (await open({ type: 'slack', url }))(message({ text: '<!channel> & more' }))
  t.same(json(0), { text: 'x1c: Print finished\n&lt;!channel&gt; &amp; more', mrkdwn: false })
})

t.test('Pushover: login, priority, time and picture', async t => {
  const { url, form, received } = await startReceiver(t)
  await (await open({ type: 'pushover', server: url, token: 'app-token', user: 'user-key' }))(message({ attachment: picture }))
  t.equal(received[0]?.path, '/1/messages.json')
  const sent = await form(0)
  const { attachment, ...fields } = Object.fromEntries(sent.entries())
  t.same(fields, {
    token: 'app-token', user: 'user-key', title: 'x1c: Print finished', message: 'Grüße, plate 1', priority: '1', timestamp: String(AT / 1000)
  })
  t.ok(attachment)
})

t.test('who answers 500, asks for patience, hangs up or refuses a login is tried again; who refuses the message is not', async t => {
  const { url, answer } = await startReceiver(t, BROKEN)
  const send = await open({ type: 'telegram', server: url, token: '123:bot-secret', chat: 1 })
  t.match(await failure(send(message())), { message: 'it answered 500', final: false })
  answer((_, response) => response.writeHead(429, { 'retry-after': '90' }).end())
  t.match(await failure(send(message())), { final: false, retryAfterMs: 90_000 })
  answer(HANGS_UP)
  t.notOk((await failure(send(message()))).final)
  answer((_, response) => response.writeHead(400).end('{"description":"chat not found"}'))
  t.match(await failure(send(message())), { message: 'it answered 400: chat not found', final: true })
  answer((_, response) => response.writeHead(403).end('x'.repeat(100_000)))
  t.match(await failure(send(message())), { message: 'it answered 403', final: false, retryAfterMs: 300_000 }, 'a person may mend it')
  answer((_, response) => response.writeHead(404).end())
  t.match(await failure(send(message())), { message: 'it answered 404', final: false, retryAfterMs: undefined }, 'a proxy that starts')
})

t.test('a target that is silent is left when the time is up', async t => {
  const { url, received } = await startReceiver(t, SILENT)
  const controller = new AbortController()
  const send = await open({ type: 'webhook', url })
  const sending = failure(send(message(), controller.signal))
  while (received.length === 0) await new Promise(resolve => setImmediate(resolve))
  controller.abort(new Error('time is up'))
  t.match(await sending, { message: 'time is up' })
})

t.test('a redirect is not followed, neither elsewhere nor on the same host', async t => {
  const other = await startReceiver(t)
  const { url, received, answer } = await startReceiver(t, (_, response) =>
    response.writeHead(302, { location: `${other.url}/internal?secret=1` }).end())
  const send = await open({ type: 'webhook', url })
  const error = await failure(send(message()))
  t.match(error, { final: true, message: `it answered 302 and redirects elsewhere, to ${new URL(other.url).host};` })
  t.notMatch(error.message, 'internal')
  answer((_, response) => response.writeHead(308, { location: '/other' }).end())
  t.ok((await failure(send(message()))).final)
  t.same([received.length, other.received.length], [2, 0])
})

t.test('secrets come from where they are said to be, and are masked', async t => {
  const folder = testFolder(t)
  await writeFile(join(folder, 'token'), 'from-a-file\n')
  const masked: string[] = []
  await open({ type: 'ntfy', topic: 'topic-secret', token: { file: join(folder, 'token') } }, masked)
  await open({ type: 'discord', url: 'https://discord.com/api/webhooks/123/aB3dEfGhIjKlMnOpQr' }, masked)
  t.same(masked, ['topic-secret', 'from-a-file', 'aB3dEfGhIjKlMnOpQr'])
  await rm(join(folder, 'token'))
  await t.rejects(open({ type: 'ntfy', topic: 'a', token: { file: join(folder, 'token') } }), { code: 'PRN_ERR_CONFIG' })
})

const wrong = async (t: Test, options: object, text: RegExp) =>
  t.rejects(open(options), { code: 'PRN_ERR_CONFIG', message: text }, String(text))

t.test('what cannot work is refused at the start, without repeating a secret', async t => {
  await wrong(t, { type: 'ntfi', topic: 'a' }, /there is no type 'ntfi'; did you mean 'ntfy'/)
  await wrong(t, { type: 'ntfy' }, /targets\.phone: 'topic' is required/)
  await wrong(t, { type: 'ntfy', topic: 'a', tokn: 'b' }, /did you mean 'token'/)
  await wrong(t, { type: 'webhook', url: 'file:///etc/passwd' }, /phone\.url must be an address that begins with http/)
  await wrong(t, { type: 'webhook', url: 'http://a', body: { text: '{{titel}}' } }, /there is no \{\{titel\}\}/)
  await wrong(t, { type: 'mqtt', broker: 'mqtt://me:secret@host' }, /broker must be an address without a login$/)
  await wrong(t, { type: 'email', host: 'a', from: 'a@b', to: ['a@b'], user: 'me' }, /user and password go together/)
  await wrong(t, { type: 'email', host: 'a', from: 'a@b', to: ['a@b>, <c@d'] }, /to\[0\] must match pattern/)
})
