import t from 'tap'
import { Challenges } from '../../../plugins/passkeys/challenges.js'
import { siteOf } from '../../../plugins/passkeys/site.js'

t.test('a challenge is accepted once, for its purpose, within five minutes', async t => {
  let now = 1_000
  const challenges = new Challenges(() => now)
  const one = challenges.make('log in')
  t.not(one, challenges.make('log in'))
  t.equal(challenges.take(one, 'add'), false, 'for another purpose')
  t.equal(challenges.take(one, 'log in'), true)
  t.equal(challenges.take(one, 'log in'), false, 'a second time')
  const late = challenges.make('log in')
  now += 5 * 60_000
  t.equal(challenges.take(late, 'log in'), false, 'too late')
  t.equal(challenges.take(one, 'log in'), false, 'and one that was used does not come back')
  const other = new Challenges(() => now).make('log in')
  t.equal(challenges.take(other, 'log in'), false, 'of another service')
  const good = challenges.make('log in')
  for (const bad of ['', 'x', `${good}A`, `${good}=`, good.slice(1), good.replace(/.$/, letter => letter === 'A' ? 'E' : 'A')]) {
    t.equal(challenges.take(bad, 'log in'), false, bad)
  }
  t.equal(challenges.take(good, 'log in'), true)
})

t.test('browsers have passkeys at names with encryption, and at localhost', async t => {
  t.same(siteOf('https://prnd.local:8443/x'), { host: 'prnd.local', origin: 'https://prnd.local:8443' })
  t.same(siteOf('http://localhost:5000'), { host: 'localhost', origin: 'http://localhost:5000' })
  for (const address of ['http://prnd.local', 'https://192.168.1.5', 'https://[fe80::1]', 'http://127.0.0.1:5000', 'nonsense']) {
    t.equal(siteOf(address), undefined, address)
  }
})
