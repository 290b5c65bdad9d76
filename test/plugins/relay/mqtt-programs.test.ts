import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createSocket } from 'node:dgram'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { findProgram, pythonThatRuns } from '../../helpers/programs.js'
import { connectClient, FULL, READ, relay, type Relayed } from './relay.js'
import { testFolder } from '../../helpers/folder.js'

// The relay as programs see it that know nothing of ours.

const run = promisify(execFile)
const subscriber = findProgram('mosquitto_sub')
const publisher = findProgram('mosquitto_pub')
const noMosquitto = subscriber === undefined || publisher === undefined
  ? 'mosquitto_sub is not installed (Debian package mosquitto-clients)'
  : false
const python = pythonThatRuns('import paho.mqtt')
const noPaho = python === undefined ? 'paho-mqtt is not installed (Debian package python3-paho-mqtt)' : false

async function login (t: Test, { ports, serial }: Relayed, code: string): Promise<string[]> {
  const { connect } = await import('node:tls')
  const socket = connect({ host: '127.0.0.1', port: ports.mqtt, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw, subject } = socket.getPeerCertificate()
  socket.destroy()
  t.equal(subject.CN, serial, 'the certificate bears the serial number')
  const lines = raw.toString('base64').match(/.{1,64}/g)?.join('\n')
  const folder = testFolder(t, { 'ca.pem': `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n` })
  return ['-h', '127.0.0.1', '-p', `${ports.mqtt}`, '--cafile', `${folder}/ca.pem`, '--insecure', '-u', 'bblp', '-P', code]
}

t.test('mosquitto listens and asks', { skip: noMosquitto }, async t => {
  const service = await relay(t)
  const { serial, printer } = service
  const { stdout } = await run(subscriber as string,
    [...await login(t, service, READ), '-t', `device/${serial}/report`, '-C', '2', '-W', '20'], { maxBuffer: 10e6 })
  t.match(stdout, /"command": "push_status"/)
  await t.rejects(run(subscriber as string, [...await login(t, service, 'wrong-code'), '-t', '#', '-C', '1', '-W', '20']),
    { code: 5 })
  await run(publisher as string, [...await login(t, service, FULL), '-q', '1', '-t', `device/${serial}/request`,
    '-m', '{"system":{"command":"ledctrl","led_node":"chamber_light","led_mode":"off","sequence_id":"1"}}'])
  await eventually(() => printer.requests.some(({ command, body }) => command === 'ledctrl' && body.led_mode === 'off'))
})

const PAHO = `
import json, ssl, sys, paho.mqtt.client as mqtt
port, serial, code = int(sys.argv[1]), sys.argv[2], sys.argv[3]
client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2) if hasattr(mqtt, 'CallbackAPIVersion') else mqtt.Client()
client.tls_set(cert_reqs=ssl.CERT_NONE)
client.tls_insecure_set(True)
client.username_pw_set('bblp', code)
def connected(c, u, flags, reason, *props):
    c.subscribe(f'device/{serial}/report')
    c.publish(f'device/{serial}/request', json.dumps({'system': {'command': 'ledctrl', 'led_node': 'chamber_light', 'led_mode': 'on', 'sequence_id': '4711'}}))
def message(c, u, m):
    body = json.loads(m.payload)
    if body.get('system', {}).get('sequence_id') == '4711':
        print(body['system']['result'])
        c.disconnect()
client.on_connect, client.on_message = connected, message
client.connect('127.0.0.1', port, 30)
client.loop_forever()
`

t.test('paho-mqtt asks and is answered', { skip: noPaho }, async t => {
  const service = await relay(t)
  const { stdout } = await run(python as string, ['-c', PAHO, `${service.ports.mqtt}`, service.serial, FULL], { timeout: 30_000 })
  t.equal(stdout.trim(), 'success')
})

t.test('fifty clients hear the printer; one that never reads is dropped', { skip: noMosquitto }, async t => {
  const service = await relay(t, { relay: { connectionsPerClient: 60 } })
  const { serial, printer } = service
  const topic = `device/${serial}/report`
  const deaf = spawn(subscriber as string, [...await login(t, service, READ), '-t', topic], { stdio: ['ignore', 'pipe', 'ignore'] })
  t.teardown(() => { deaf.kill('SIGKILL') })
  const readers = () => service.http('GET', '/api/relay')
    .then(({ body }) => (body as { printers: { clients: string[] }[] }).printers[0]?.clients ?? [])
  await once(deaf.stdout, 'data') // once it is logged in it still has to subscribe
  t.same(await readers(), ['Viewer (mqtt)'])
  deaf.kill('SIGSTOP')
  const other = await connectClient(t, service)
  const long = JSON.stringify({ print: { command: 'push_status', msg: 1, padding: 'x'.repeat(900_000) } })
  // The system itself takes up to 36 MB for it.
  for (let count = 0; count < 120 && (await readers()).includes('Viewer (mqtt)'); count++) {
    printer.publish(long)
    await eventually(() => other.heard.some(({ length }) => length === long.length))
    other.heard.length = 0
  }
  t.same(await readers(), ['Slicer (mqtt)'])
  const more = await Promise.all(Array.from({ length: 49 }, () => connectClient(t, service)))
  printer.publish('{"print":{"command":"push_status","msg":1,"marker":1}}')
  await eventually(() => [other, ...more].every(({ heard }) => heard.some(bytes => bytes.includes('"marker":1'))))
  t.equal((await readers()).length, 50)
})

t.test('it is announced while the printer is there', async t => {
  const socket = createSocket('udp4')
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => { socket.close() })
  const heard: string[] = []
  socket.on('message', bytes => heard.push(bytes.toString()))
  const service = await relay(t, { relay: { announce: true, announceTo: { to: '127.0.0.1', port: socket.address().port } } })
  await eventually(() => heard.some(text => text.includes('ssdp:alive')))
  t.match(heard[0], new RegExp(`Location: 127.0.0.1\r\nNT: .*\r\nNTS: ssdp:alive\r\nUSN: ${service.serial}`))
  await service.printer.stop()
  await eventually(() => heard.some(text => text.includes('ssdp:byebye')))
})
