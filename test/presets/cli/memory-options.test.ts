import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import t from 'tap'
import { ALLOCATOR, applyMemoryOptions, ENGINE, type Start } from '../../../presets/cli/memory-options.js'
import { listening, run } from '../../outside/installed.js'
import { CLI, configured } from '../prnd.js'

type Execve = NonNullable<Start['execve']>
type Call = Parameters<Execve>

function started (start: Partial<Start>): Call | undefined {
  const calls: Call[] = []
  applyMemoryOptions('/p/main.js', {
    platform: 'linux',
    argv: ['/n/node', '/p/start.mjs', 'daemon', '-c', 'a b'],
    execArgv: ['--inspect'],
    execPath: '/n/node',
    env: { PRN_X: '1' },
    execve: (...call: Call) => { calls.push(call) },
    ...start
  })
  return calls[0]
}

t.test('a service is started anew with its arguments, its environment and the settings', async t => {
  t.same(started({}), ['/n/node', ['/n/node', '--inspect', ...ENGINE, '/p/main.js', 'daemon', '-c', 'a b'],
    { PRN_X: '1', ...ALLOCATOR }])
})

t.test('what somebody has set stays, and so does what cannot be changed', async t => {
  t.equal(started({ env: { MALLOC_ARENA_MAX: '4' } }), undefined)
  t.equal(started({ env: { ...ALLOCATOR } }), undefined, 'started anew already')
  t.equal(started({ platform: 'darwin' }), undefined)
  t.equal(started({ execve: undefined as unknown as Execve }), undefined)
  for (const command of ['mcp', 'doctor', 'printers', '--help']) t.equal(started({ argv: ['/n/node', '/p/main.js', command] }), undefined)
  const kept = started({ execArgv: ['--max-old-space-size=4096'], env: { NODE_OPTIONS: '--v8-pool-size=2 --trace-warnings' } })
  t.same(kept?.[1].slice(1, 4), ['--max-old-space-size=4096', '--max-semi-space-size=4', '--initial-old-space-size=96'])
  t.doesNotThrow(() => started({ execve: () => { throw new Error('EPERM') } }))
})

t.test('Node takes them', async t => {
  const { stdout } = await promisify(execFile)(process.execPath, [...ENGINE, '-p', '1'], { env: { ...ALLOCATOR } })
  t.equal(stdout, '1\n')
})

const noExecve = 'execve' in process ? false : 'this Node has no process.execve (22.15 and later have)'
t.test('a service started by hand has them, under the number of its process', { skip: noExecve }, async t => {
  const { file } = await configured(t, {}, `export default { name: 'probe', version: '1.0.0', kernel: '>=1.0.0',
    setup () { console.log(JSON.stringify([process.pid, process.execArgv, process.env.MALLOC_ARENA_MAX])) } }`)
  const service = run(t, [CLI, 'daemon', '-c', file])
  await listening(service)
  t.same(JSON.parse(/^\[.*$/m.exec(service.stdout())?.[0] ?? '[]'), [service.pid, [...ENGINE], '2'])
  service.child.kill('SIGTERM')
  t.same(await service.gone, [0, null])
  t.equal(service.stderr(), '')
})
