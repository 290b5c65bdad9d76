import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createVirtualPrinter, type VirtualPrinter } from '../../../plugins/emulator/index.js'
import { eventually } from '../../helpers/eventually.js'
import { findProgram } from '../../helpers/programs.js'
import { testFolder } from '../../helpers/folder.js'

// The broker as the official clients of mosquitto see it.

const subscriber = findProgram('mosquitto_sub')
const publisher = findProgram('mosquitto_pub')
const skip = subscriber === undefined || publisher === undefined
  ? 'mosquitto_sub is not installed (Debian package mosquitto-clients)'
  : false

interface Running { readonly text: () => string, readonly code: () => number | null }

/** The certificate as a file is the authority; it names a serial number instead of an address, hence `--insecure`. */
async function login (t: Test, { ports, accessCode, serial }: VirtualPrinter, code = accessCode): Promise<string[]> {
  const { connect } = await import('node:tls')
  const pem = await new Promise<string>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: ports.mqtt, rejectUnauthorized: false }, () => {
      const der = socket.getPeerCertificate().raw.toString('base64').match(/.{1,64}/g)?.join('\n') ?? ''
      socket.destroy()
      resolve(`-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`)
    }).once('error', reject)
  })
  const path = join(testFolder(t), `${serial}.pem`)
  await writeFile(path, pem)
  return ['-h', '127.0.0.1', '-p', String(ports.mqtt), '--cafile', path, '--insecure', '-u', 'bblp', '-P', code]
}

function run (t: Test, program: string | undefined, args: readonly string[]): Running {
  const child = spawn(program ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  let code: number | null = null
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { text += String(chunk) })
  child.once('exit', status => { code = status ?? -1 })
  t.teardown(() => { child.kill() })
  return { text: () => text, code: () => code }
}

t.test('mosquitto hears reports and answers, and gives commands', { skip }, async t => {
  const printer = createVirtualPrinter({ model: 'P1S' })
  await printer.start()
  t.teardown(() => printer.stop())
  const options = await login(t, printer)
  const heard = run(t, subscriber, [...options, '-t', `device/${printer.serial}/report`])
  await eventually(() => heard.text().includes('push_status'))
  const request = { print: { command: 'print_speed', param: '4', sequence_id: '77' } }
  const told = run(t, publisher, [...options, '-q', '1', '-t', `device/${printer.serial}/request`, '-m', JSON.stringify(request)])
  await eventually(() => told.code() !== null)
  t.equal(told.code(), 0, told.text())
  await eventually(() => /"sequence_id":"77"[^\n]*"result":"success"/.test(heard.text()))
  await eventually(() => heard.text().includes('"spd_lvl":4'))
  t.equal(printer.report().spd_lvl, 4)
})

t.test('mosquitto with a wrong code is turned away', { skip }, async t => {
  const printer = createVirtualPrinter({ model: 'X1C' })
  await printer.start()
  t.teardown(() => printer.stop())
  const refused = run(t, subscriber, [...await login(t, printer, '00000000'), '-t', 'device/#', '-W', '10'])
  await eventually(() => refused.code() !== null)
  t.match(refused.text(), /not authori[sz]ed/i)
})
