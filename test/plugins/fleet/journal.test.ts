import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { openJournal, type JournalOptions } from '../../../plugins/fleet/node/journal.js'
import { followAlerts } from '../../../plugins/fleet/hub/alerts.js'
import { signMessage } from '../../../plugins/fleet/signed-message.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { newKey } from './keys.js'

const alertOf = (n: number) => ({
  type: 'job_started', printer: 'x1c', timestamp: new Date(n).toISOString(), severity: 'low', payload: { n }
}) as const

/** Servers that keep each alert once, and may lose what they have acknowledged. */
function createServers () {
  const kept = new Set<number>()
  const sent: number[] = []
  const publish: ReturnType<JournalOptions['publish']> = async ({ number }) => {
    sent.push(number)
    kept.add(number)
  }
  return { kept, sent, publish }
}

t.test('what servers acknowledged and lost is sent once more, and stays on disk until then', async t => {
  const folder = testFolder(t)
  const servers = createServers()
  let isThere = true
  const journal = await openJournal({
    folder,
    warn () {},
    publish: () => isThere ? servers.publish : undefined,
    onFailure () {},
    onDropped () {},
    confirmMs: 300
  })
  t.teardown(() => journal.close())
  const onDisk = () => (JSON.parse(readFileSync(join(folder, 'journal.json'), 'utf8')) as { number: number }[])
    .map(({ number }) => number)
  journal.add(alertOf(1))
  journal.add(alertOf(2))
  await eventually(() => servers.kept.size === 2)
  await eventually(() => journal.waiting === 0)
  t.same(onDisk(), [1, 2])
  servers.kept.delete(1)
  await eventually(() => servers.sent.length === 4)
  t.same([...servers.kept].sort(), [1, 2])
  t.same(servers.sent, [1, 2, 1, 2])
  await eventually(() => onDisk().length === 0)

  isThere = false
  journal.add(alertOf(3))
  await eventually(() => onDisk().length === 1)
  t.equal(journal.waiting, 1, 'what nobody has acknowledged waits')
})

t.test('a hub passes on each alert once, also one that the servers have late', async t => {
  const [key, subject] = [newKey(), 'prnd.main.events.hall.a']
  const numbers = [2, 5, 4, 5, 1, 3, 3, 4, 1, 6]
  const messages = Object.assign((async function * () {
    for (const number of numbers) {
      const event = JSON.stringify({ journal: 'j', number, alert: alertOf(number) })
      yield { subject, data: signMessage(key, subject, event), time: new Date() }
      yield { subject, data: signMessage(newKey(), subject, event.replace('"j"', '"forged"')), time: new Date() }
      yield { subject: subject.replace('hall', 'shed'), data: signMessage(key, subject, event), time: new Date() }
    }
  })(), { status: async function * () {}, stop () {} })
  const client = {
    consumers: {
      get: async () => ({
        info: async () => ({ created: new Date(0).toISOString() }),
        consume: async () => messages
      })
    }
  }
  const told: number[] = []
  await followAlerts({
    events: client as never,
    stream: 'events',
    keys: { mayBe: (place, publicKey) => place === 'hall/a' && publicKey === key.publicKey },
    nameOf: (place, printer) => `${printer} of ${place}`,
    ageMs: () => 0,
    deliver: ({ printer, payload }) => {
      t.equal(printer, `${alertOf(0).printer} of hall/a`)
      told.push(Number(payload.n))
    }
  })()
  t.same(told, [2, 5, 4, 1, 3, 6])
})
