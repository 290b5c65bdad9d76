import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { childEnvironment, DESKTOP } from '../../../core/util/environment.js'
import { launch, openerOf } from '../../../core/util/open-browser.js'
import { testFolder } from '../../helpers/folder.js'

t.test('each system has its own way, none of them a shell', t => {
  t.same(openerOf('darwin'), ['open'])
  t.same(openerOf('win32'), ['rundll32', 'url.dll,FileProtocolHandler'])
  t.same(openerOf('linux'), ['xdg-open'])
  t.same(openerOf('freebsd'), ['xdg-open'])
  t.end()
})

t.test('a program that is not there opened nothing', async t => {
  t.equal(await launch(['/there/is/no/such/program', 'x']), false)
})

t.test('one that fails opened nothing, one that succeeds did', async t => {
  t.equal(await launch([process.execPath, '-e', 'process.exit(3)']), false)
  t.equal(await launch([process.execPath, '-e', '']), true)
})

t.test('one that runs on has taken the address', async t => {
  const ended = join(testFolder(t), 'ended')
  const script = "setTimeout(() => require('fs').writeFileSync(process.argv[1], ''), 5000)"
  t.equal(await launch([process.execPath, '-e', script, ended], 50), true)
  t.notOk(existsSync(ended), 'its end is not waited for')
})

t.test('the address is one argument, whatever is in it', async t => {
  const address = 'file:///tmp/a b;$(exit 1)&"\'.html'
  t.equal(await launch([process.execPath, '-e', `process.exit(process.argv[1] === ${JSON.stringify(address)} ? 0 : 1)`, address]), true)
})

t.test('the browser gets what the desktop needs, and none of our secrets', async t => {
  const names = Object.keys(childEnvironment(DESKTOP, {
    PATH: '/bin', LC_ALL: 'C', DISPLAY: ':0', WAYLAND_DISPLAY: 'w', XDG_RUNTIME_DIR: '/run/user/1', PRN_API_TOKEN: 'x', MY_CODE: 'y'
  }))
  t.same(names, ['PATH', 'LC_ALL', 'DISPLAY', 'WAYLAND_DISPLAY', 'XDG_RUNTIME_DIR'])
  t.same(Object.keys(childEnvironment(undefined, { HOME: '/', DISPLAY: ':0', PRN_CONFIG: 'x' })), ['HOME'])
  process.env.PRN_API_TOKEN = 'a long secret'
  t.teardown(() => { delete process.env.PRN_API_TOKEN })
  t.equal(await launch([process.execPath, '-e', 'process.exit(process.env.PRN_API_TOKEN === undefined ? 0 : 1)']), true)
})
