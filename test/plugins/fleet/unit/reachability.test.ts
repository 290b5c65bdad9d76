import t from 'tap'
import { Reachability } from '../../../../plugins/fleet/hub/reachability.js'
import type { NodeSeen } from '../../../../plugins/fleet/hub/directory.js'

t.test('a service that has not heard of the hub yet needs no configuration, one that keeps to another does', async t => {
  const whyNot = (hubs: readonly string[]) => new Reachability({
    link: { connected: true },
    directory: { of: () => ({ reachable: true, hubs }) as unknown as NodeSeen },
    publicKey: 'ours'
  }).whyNotAsk('hall/a')
  t.equal(whyNot(['theirs', 'ours']), undefined)
  t.match(whyNot([]), /hall\/a has not heard of this hub yet/)
  t.match(whyNot(['theirs']), /key, ours, into plugins\.fleet\.hubKeys/)
})
