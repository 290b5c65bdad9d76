import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { emptyFolder } from '../../helpers/folder.js'
import { NO_NATS, startNats } from '../../helpers/nats.js'
import { findProgram } from '../../helpers/programs.js'
import { bootHub, bootNode } from './fleet.js'

const GUIDE = join(process.cwd(), 'docs', 'guides', 'fleet.md')
const PASSWORDS = { hub: 'planted-hub-password', hall: 'planted-hall-password', attic: 'planted-attic-password' }

/** The block of a guide that begins with these words. */
const block = (guide: string, begin: string) => new RegExp(`\`\`\`\\w*\\n( *${begin}[\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? ''

/** An authority and a certificate for this machine, as the guide has them made. */
function certificates (folder: string, guide: string): void {
  const script = block(guide, 'openssl req -x509').replaceAll('DNS:hub.example.org', 'DNS:localhost')
  execFileSync('sh', ['-ec', script], { cwd: folder, stdio: 'ignore' })
}

/** The users of the guide, and another site with the same rights. */
function authorization (guide: string): string {
  const users = /authorization \{[\s\S]*/.exec(block(guide, 'listen: 0.0.0.0:4222'))?.[0] ?? ''
  const [hall = ''] = /\{ user: hall[\s\S]*?\} \}/.exec(users) ?? []
  const attic = hall.replaceAll(/\bhall\b/g, 'attic').replace('$HALL_', '$ATTIC_')
  return users.replace(hall, `${hall}\n${attic}`)
    .replace('$HUB_PASSWORD', PASSWORDS.hub).replace('$HALL_PASSWORD', PASSWORDS.hall)
    .replace('$ATTIC_PASSWORD', PASSWORDS.attic)
}

const skip = NO_NATS || (findProgram('openssl') === undefined ? 'openssl is not installed' : false)

t.test('the permissions of the guide', { skip }, async t => {
  const folder = emptyFolder(t)
  const guide = await readFile(GUIDE, 'utf8')
  certificates(folder, guide)
  const nats = await startNats(t, {
    scheme: 'tls',
    host: 'localhost',
    config: `tls { cert_file: "${folder}/server.pem", key_file: "${folder}/server-key.pem" }\n${authorization(guide)}`
  })
  const login = async (user: keyof typeof PASSWORDS) => {
    const file = join(folder, `${user}-password`)
    await writeFile(file, PASSWORDS[user])
    return { servers: [nats.url], ca: join(folder, 'ca.pem'), user, password: { file } }
  }
  const hub = await bootHub(t, { ...await login('hub'), site: 'office' }, [])
  await eventually(() => hub.kernel.services.fleet.status().connected)
  const node = await bootNode(t, { ...await login('hall'), site: 'hall', node: 'a', shared: ['p1s'] }, { models: ['P1S'] })

  await t.test('are enough for states, calls and alerts', async t => {
    await eventually(() => hub.kernel.printers.get('p1s')?.live, 30_000)
    const { status } = await hub.http('PATCH', '/api/set_bed_target_temp', { printer: 'p1s', temp: 42 })
    t.equal(status, 200)
    const heard: string[] = []
    hub.kernel.events.on('alert', ({ type }) => { heard.push(type) })
    node.printer.startJob({})
    await eventually(() => heard.length > 0, 30_000)
    await eventually(() => node.kernel.services.fleet.status().waiting_alerts === 0, 30_000)
    t.equal(node.kernel.services.fleet.status().leases_held, 1)
    t.equal(node.kernel.services.fleet.status().failures, 0)
  })

  /** What the server refuses of what a thief of these credentials tries. */
  async function refused (user: keyof typeof PASSWORDS, attempt: (nats: NatsConnection) => unknown): Promise<string> {
    const thief = await connect({
      servers: nats.url,
      tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') },
      authenticator: usernamePasswordAuthenticator(user, PASSWORDS[user]),
      inboxPrefix: `prn.main.inbox.${user}`
    })
    const told: string[] = []
    const following = (async () => {
      for await (const status of thief.status()) if (status.type === 'error') told.push(status.error.message)
    })()
    attempt(thief)
    await thief.flush()
    await thief.flush() // the refusal was sent before this answer
    await thief.close()
    await following
    return told.join('\n')
  }

  await t.test('keep a site from the printers of another', async t => {
    for (const subject of ['$KV.prn-main-state.hall.a.p1s', '$KV.prn-main-leases.hall.x', 'prn.main.events.hall.a', 'prn.main.beat.hall.a',
      'prn.main.call.hall.a.do', '$JS.API.STREAM.DELETE.KV_prn-main-state', '$JS.API.STREAM.PURGE.prn-main-events']) {
      t.match(await refused('attic', thief => thief.publish(subject, '{}')), /permission/i, subject)
    }
    for (const subject of ['prn.main.call.hall.>', 'prn.main.inbox.hub.>', 'prn.main.inbox.hall.>', '>']) {
      t.match(await refused('attic', thief => thief.subscribe(subject, { callback () {} })), /permission/i, subject)
    }
    t.equal(await refused('attic', thief => thief.publish('prn.main.beat.attic.a', '{}')), '', 'its own are open')
  })

  await t.test('keep a hub from saying what only nodes know', async t => {
    for (const subject of ['$KV.prn-main-state.hall.a.p1s', 'prn.main.events.hall.a', 'prn.main.beat.hall.a']) {
      t.match(await refused('hub', thief => thief.publish(subject, '{}')), /permission/i, subject)
    }
    t.match(await refused('hub', thief => thief.subscribe('prn.main.call.>', { callback () {} })), /permission/i)
  })

  await t.test('nobody gets in without a password', async t => {
    await t.rejects(connect({
      servers: nats.url, tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') }, maxReconnectAttempts: 0
    }), /authorization/i)
  })
})
