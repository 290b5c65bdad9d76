import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { jetstream, JetStreamApiError } from '@nats-io/jetstream'
import { connect, headers, usernamePasswordAuthenticator, type NatsConnection } from '@nats-io/transport-node'
import type { Test } from 'tap'
import type { NatsServer } from '../../helpers/nats.js'
import { PASSWORDS, type User } from './guide.js'

/** Options of a service that logs in as this user, as the guide has it. */
export async function loginAs (user: User, nats: NatsServer, folder: string) {
  const file = join(folder, `${user}-password`)
  await writeFile(file, PASSWORDS[user])
  return { servers: [nats.url], ca: join(folder, 'ca.pem'), user, password: { file } }
}

/** Somebody with the credentials of a user, and what the server has refused. */
export async function connectAs (t: Pick<Test, 'teardown'>, user: User, nats: NatsServer, folder: string) {
  const thief = await connect({
    servers: nats.url,
    tls: { ca: await readFile(join(folder, 'ca.pem'), 'utf8') },
    authenticator: usernamePasswordAuthenticator(user, PASSWORDS[user]),
    inboxPrefix: `prnd.main.inbox.${user}`
  })
  const refusals: string[] = []
  void (async () => {
    for await (const status of thief.status()) if (status.type === 'error') refusals.push(status.error.message)
  })()
  t.teardown(() => thief.close())
  /** What was sent before has been delivered, or refused, when these answers come. */
  const settled = async () => {
    await thief.flush()
    await thief.flush()
  }
  return { thief, refusals, settled }
}

/**
 * Has the servers deliver what is kept under a key to any subject, by a consumer that pushes.
 * @throws when they refuse
 */
export async function pushTo (thief: NatsConnection, subject: string, filter: string): Promise<void> {
  const config = {
    deliver_subject: subject,
    deliver_policy: 'all',
    ack_policy: 'explicit',
    max_ack_pending: 20_000,
    filter_subject: filter,
    replay_policy: 'instant',
    inactive_threshold: 60e9
  }
  const answer = await thief.request('$JS.API.CONSUMER.CREATE.KV_prnd-main-state',
    JSON.stringify({ stream_name: 'KV_prnd-main-state', config }), { timeout: 3_000 })
  const { error } = answer.json<{ error?: { code: number, err_code: number, description: string } }>()
  if (error) throw new JetStreamApiError(error)
}

/** Has the servers answer a question for what the thief keeps, and the answer go to any subject. */
export async function answerTo (thief: NatsConnection, site: string, subject: string, content: Uint8Array | string,
  kind?: 'DEL'): Promise<void> {
  const key = `$KV.prnd-main-leases.${site}.${randomUUID()}`
  const more = headers()
  if (kind) more.set('KV-Operation', kind)
  await jetstream(thief).publish(key, content, { headers: more })
  thief.publish(`$JS.API.DIRECT.GET.KV_prnd-main-leases.${key}`, '', { reply: subject })
}
