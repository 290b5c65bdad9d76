import { hostname } from 'node:os'
import t from 'tap'
import { hostName, checkOrigin, type RequestOrigin } from '../../../../plugins/http/origin-check.js'

const MACHINE = hostname().split('.')[0]?.toLowerCase() ?? ''
const RULES = { allowedHosts: ['Printers.Example.com'], corsOrigins: ['https://panel.example.com'] }
const judge = (request: Partial<RequestOrigin>) =>
  checkOrigin({ host: 'localhost:49152', origin: undefined, site: undefined, writes: false, ...request }, RULES)

t.test('the name in a Host header', async t => {
  for (const [header, name] of [
    ['localhost:49152', 'localhost'], ['LOCALHOST', 'localhost'], ['192.168.1.5:80', '192.168.1.5'],
    ['[::1]:49152', '::1'], ['[fe80::1]', 'fe80::1'], ['nas.local.', 'nas.local'], ['nas.local.:8080', 'nas.local']
  ] as const) t.equal(hostName(header), name, header)
})

t.test('hosts that no web page can point at us', async t => {
  const own = [
    'localhost', 'localhost:49152', '127.0.0.1:49152', '192.168.1.5', '10.0.0.7:1', '[::1]:49152', '[fe80::1]:80',
    `${MACHINE}.local`, `${MACHINE.toUpperCase()}.LOCAL:49152`, MACHINE, 'prnd.localhost:80', hostname(), 'printers.example.com', 'PRINTERS.EXAMPLE.COM:443'
  ]
  for (const host of own) t.match(judge({ host }), { allowed: true }, host)
})

t.test('hosts that somebody may have pointed at us', async t => {
  const foreign = [
    'evil.example', 'evil.example:49152', 'localhost.evil.example', '127.0.0.1.evil.example', 'evillocal',
    'nas.local', `x.${MACHINE}.local`, `${MACHINE}.local.evil.example`, 'printers.example.com.evil.example', 'sub.printers.example.com', 'local', '', '1.2.3', '999.1.1.1', ' '
  ]
  for (const host of foreign) {
    t.match(judge({ host }), { allowed: false, reason: /^Host '.*' is not allowed; add it to PRN_ALLOWED_HOSTS/ }, host)
  }
  t.match(judge({ host: undefined }), { allowed: false }, 'none at all')
})

t.test('an Origin must be the address that was asked, or a listed one', async t => {
  for (const writes of [false, true]) {
    t.same(judge({ writes }), { allowed: true }, 'no Origin: no browser')
    t.same(judge({ origin: 'http://localhost:49152', writes }), { allowed: true })
    t.same(judge({ host: '192.168.1.5', origin: 'http://192.168.1.5', writes }), { allowed: true })
    t.match(judge({ host: '[::1]:80', origin: 'http://[::1]:80', writes }), { allowed: false },
      'a browser leaves the usual port out of both')
    t.same(judge({ origin: 'https://panel.example.com', writes }), { allowed: true, cors: 'https://panel.example.com' })
    for (const origin of [
      'http://localhost:5000', 'http://127.0.0.1:49152', 'http://evil.example', 'null', '', 'file://',
      'https://panel.example.com.evil.example', 'http://panel.example.com'
    ]) {
      t.same(judge({ origin, writes }), { allowed: false, reason: judgeReason(origin) }, origin)
    }
  }
})
const judgeReason = (origin: string) => `Origin '${origin}' is not allowed; add it to PRN_CORS_ORIGINS if it is yours`

t.test('a rebound name fails although Origin and Host agree', async t => {
  const verdict = judge({ host: 'evil.example:49152', origin: 'http://evil.example:49152' })
  t.match(verdict, { allowed: false, reason: /^Host/ })
})

t.test('another site may not change anything, whatever its Origin', async t => {
  t.match(judge({ site: 'cross-site', writes: true }), { allowed: false, reason: /Another web site/ })
  t.same(judge({ site: 'cross-site', writes: false }), { allowed: true }, 'a link may lead here')
  for (const site of ['same-origin', 'same-site', 'none', undefined]) {
    t.same(judge({ site, writes: true }), { allowed: true }, String(site))
  }
  const listed = judge({ site: 'cross-site', writes: true, origin: 'https://panel.example.com' })
  t.match(listed, { allowed: true }, 'a listed one may')
})
