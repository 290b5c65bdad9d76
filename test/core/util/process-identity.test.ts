import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { isAlive, isRunning, ownIdentity } from '../../../core/util/process-identity.js'
import { eventually } from '../../helpers/eventually.js'

t.test('this process runs, and one of its number that began at another time is another', async t => {
  t.equal(isRunning(process.pid), true)
  t.equal(isAlive(ownIdentity()), true)
  t.equal(isAlive({ ...ownIdentity(), started: '1' }), process.platform === 'linux' ? false : undefined)
  t.equal(isAlive({ ...ownIdentity(), realm: 'another machine' }), undefined)
})

const noProc = process.platform === 'linux' ? false : 'the state of a process is read from /proc'
t.test('one that was killed is gone, even if nobody collects it', { skip: noProc }, async t => {
  // The shell becomes a program that knows nothing of the child that the shell had begun.
  const wait = '"$0" -e "setInterval(() => {}, 1000)"'
  const parent = spawn('sh', ['-c', `${wait} & echo $!; exec ${wait}`, process.execPath], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => { parent.kill('SIGKILL') })
  const [line] = await once(parent.stdout, 'data') as [Buffer]
  const pid = Number(String(line))
  await eventually(() => readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8').startsWith(process.execPath))
  t.equal(isRunning(pid), true)
  process.kill(pid, 'SIGKILL')
  await eventually(() => /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')))
  t.equal(isRunning(pid), false)
})
