import t from 'tap'
import { PushDevices, type PushDevicesDeps } from '../../../../plugins/notify/push-devices.js'
import { DEVICE_GONE, PUSH } from '../../../../plugins/notify/push.js'

const RULE = { alerts: ['job_failed'], printers: null, attach: 'none', nights: 'wait' } as const

t.test('devices that get nothing any more make room for the next one', async t => {
  const targets = Array.from({ length: 10 }, (_, at) => ({ name: `Phone ${at}`, type: PUSH, options: {}, rule: RULE, addedAt: 100 - at }))
  const gone = new Set<string>()
  const setup = {
    remove: async (name: string) => { targets.splice(targets.findIndex(target => target.name === name), 1) },
    add: async ({ name }: { name: string }) => {
      targets.push({ name, type: PUSH, options: {}, rule: RULE, addedAt: 200 })
      return name
    }
  }
  const devices = new PushDevices({
    setup,
    stored: { list: () => [...targets], secretsOf: (name: string) => ({ endpoint: `https://push/${name}` }) },
    vapid: async () => ({}),
    people: () => undefined,
    now: () => 200,
    problemOf: (name: string) => gone.has(name) ? DEVICE_GONE : name === 'Phone 9' ? 'no network' : undefined
  } as unknown as PushDevicesDeps)
  const add = async (name: string) => await devices.add({ caller: undefined, trusted: true }, name,
    { endpoint: `https://push/${name}`, keys: { p256dh: 'p', auth: 'a' } }, RULE as never)
  await t.rejects(add('New'), { code: 'PRN_ERR_TARGETS_FULL' }, 'all of them are in use')
  gone.add('Phone 3').add('Phone 5')
  t.equal(await add('New'), 'New')
  t.same(targets.map(({ name }) => name).filter(name => ['Phone 3', 'Phone 5', 'New'].includes(name)), ['Phone 3', 'New'], 'the oldest went')
})
