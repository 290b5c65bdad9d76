import t, { type Test } from 'tap'
import { openTargets, type Options, type Target } from '../../../plugins/notify/options.js'
import { kinds } from '../../../plugins/notify/targets/index.js'
import type { Message } from '../../../plugins/notify/targets/types.js'
import { eventually } from '../../helpers/eventually.js'
import { listen, NO_MOSQUITTO, PASSWORD as BROKER_PASSWORD, startMosquitto } from '../../helpers/mosquitto.js'
import { NO_OPENSSL, NO_SMTPD, PASSWORD, startSmtpd, startSubmission, USER } from './smtpd.js'

const MESSAGE: Message = {
  id: 'abc-mail',
  title: 'x1c: Grüße',
  text: 'cube, plate 1',
  printer: 'x1c/#+',
  alert: 'job_finished',
  severity: 'high',
  at: '2026-01-02T03:04:05.000Z',
  payload: { plate_num: 1 },
  attachment: { kind: 'picture', name: 'picture.jpg', type: 'image/jpeg', bytes: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) }
}

async function senderOf (options: object) {
  const given = { targets: { one: options } } as unknown as Options
  const targets = await openTargets(given, { kinds, mask () {}, now: Date.now })
  const target = targets.get('one') as Target
  return (message: Message = MESSAGE) => target.send(message, AbortSignal.timeout(60_000))
}

const failureOf = async (t: Test, sending: Promise<void>) => {
  const error = await sending.then(() => undefined, (reason: Error) => reason)
  t.ok(error instanceof Error)
  return error as Error & { final?: boolean }
}

const MAIL = { type: 'email', host: '127.0.0.1', from: 'prnd@example.org', to: ['me@example.org'] }

t.test('a mail server takes the message, with its picture', { skip: NO_SMTPD }, async t => {
  const { port, mail } = await startSmtpd(t)
  await (await senderOf({ ...MAIL, port, tls: 'none' }))()
  await eventually(() => /\n--[^\n]+--\r?\n/.test(mail()), 30_000)
  t.match(mail(), /^Subject: =\?UTF-8\?Q\?x1c=3A_Gr=C3=BC=C3=9Fe\?=/m)
  t.match(mail(), /^Message-ID: <abc-mail@example\.org>/m)
  t.match(mail(), /^Auto-Submitted: auto-generated/m)
  t.match(mail(), 'cube, plate 1')
  t.match(mail(), '/9j/2Q==')
  const refused = await failureOf(t, (await senderOf({ ...MAIL, to: ['me@example.com'], port, tls: 'none' }))())
  t.match(refused, { final: true, message: /^the server answered 5\d\d$/ }, 'it does not relay')
  await failureOf(t, (await senderOf({ ...MAIL, to: ['other@example.org'], port }))())
  // A busy server may deliver the first message twice.
  t.notMatch(mail(), 'other@example.org', 'without TLS nothing is sent unless it is said')
})

t.test('a login is sent over TLS only, to whom it is meant for, and never told', { skip: NO_OPENSSL }, async t => {
  const { port, ca, mails } = await startSubmission(t)
  const options = { ...MAIL, port, ca, user: USER, password: PASSWORD }
  await (await senderOf(options))()
  t.match(mails[0], 'Message-ID: <abc-mail@example.org>')
  const wrong = await failureOf(t, (await senderOf({ ...options, password: 'wrong-password' }))())
  t.ok(wrong.final, 'a wrong login is not tried again')
  t.notMatch(wrong.message, 'wrong-password')
  const { ca: _ca, ...stranger } = options
  t.notOk((await failureOf(t, (await senderOf(stranger))())).final, 'a certificate that nobody vouches for')
  const { user: _user, password: _password, ...anonymous } = options
  t.match(await failureOf(t, (await senderOf(anonymous))()), { final: true, message: /^the server answered 5\d\d$/ })
  t.equal(mails.length, 1)
})

t.test('without a mail server there is an error to try again with', async t => {
  const send = await senderOf({ type: 'email', host: '127.0.0.1', port: 9, from: 'a@example.org', to: ['b@example.org'] })
  t.not((await failureOf(t, send())).final, true)
})

t.test('a broker takes the message as JSON, on a topic with the printer', { skip: NO_MOSQUITTO }, async t => {
  const mosquitto = await startMosquitto(t)
  const ha = await listen(t, mosquitto.url)
  const { port } = new URL(mosquitto.url)
  const options = { type: 'mqtt', broker: `mqtt://127.0.0.1:${port}`, username: 'ha', password: BROKER_PASSWORD }
  await (await senderOf(options))()
  await eventually(() => ha.last('prnd/messages/x1c---') !== '')
  t.match(ha.json('prnd/messages/x1c---'), { id: 'abc-mail', payload: { plate_num: 1 }, attachment: { type: 'image/jpeg' } })
  t.notOk(ha.on('prnd/messages/x1c---')[0]?.retained)
  await (await senderOf({ ...options, topic: 'a/{{alert}}' }))()
  await eventually(() => ha.last('a/job_finished') !== '')
  await failureOf(t, (await senderOf({ ...options, password: 'wrong' }))())
  await mosquitto.stop()
  await failureOf(t, (await senderOf(options))())
})
