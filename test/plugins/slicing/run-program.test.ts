import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { findProgram as findSlicer } from '../../../plugins/slicing/engines/find-program.js'
import { prusaSlicer } from '../../../plugins/slicing/engines/prusa-slicer.js'
import { limited, runProgram, whichProgram } from '../../../plugins/slicing/engines/run-program.js'
import { UNKNOWN_MODEL } from '../../../core/printer/models.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { isRunning } from '../../helpers/processes.js'

const LIMITS = { timeoutMs: 10_000, memoryMiB: 2_048, fileMiB: 1 }
const isWindows = process.platform === 'win32'
const skip = isWindows && 'shell scripts'

/** A program that does this. */
function script (folder: string, lines: string): string {
  const path = join(folder, 'program')
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

t.test('a program gets its own folder and nothing of the service', { skip }, async t => {
  const folder = testFolder(t)
  process.env.PRN_TEST_SECRET = 'secret'
  t.teardown(() => { delete process.env.PRN_TEST_SECRET })
  const lines: string[] = []
  const program = script(folder, 'env | sort; pwd; printf "a\\rb\\n%02000d\\nlast" 7; echo oops >&2; exit 3')
  const ended = await runProgram([program], {
    ...LIMITS, folder, signal: new AbortController().signal, onLine: line => lines.push(line)
  })
  t.equal(ended.code, 3)
  t.notMatch(lines.join('\n'), /PRN_|secret/)
  t.match(lines, lines.includes(`HOME=${folder}`) && lines.includes(folder) ? lines : ['its own home and folder'])
  t.ok(['a', 'b', 'last', 'oops'].every(line => lines.includes(line)), 'all lines')
  t.ok(lines.every(line => line.length <= 1_000), 'none is very long')
  t.ok(ended.lastLines.length <= 12)
})

t.test('a helper that outlives it, and holds its output, keeps nobody waiting', { skip }, async t => {
  const folder = testFolder(t)
  const pids: number[] = []
  const options = { ...LIMITS, timeoutMs: 60_000, folder, onLine: (line: string) => { pids.push(Number(line)) } }
  const program = script(folder, 'setsid sleep 50 & echo $!; exit 4')
  const ended = await runProgram([program], { ...options, signal: new AbortController().signal })
  t.equal(ended.code, 4)
  t.ok(pids.every(isRunning), 'it is still there')
  for (const pid of pids) process.kill(pid, 'SIGKILL')
})

t.test('it ends in time, when it is cancelled, and with all that it began', { skip }, async t => {
  const folder = testFolder(t)
  const program = script(folder, 'sleep 60 & echo $!; sleep 60')
  const pids: number[] = []
  const options = { ...LIMITS, folder, onLine: (line: string) => { pids.push(Number(line)) } }
  await t.rejects(runProgram([program], { ...options, timeoutMs: 300, signal: new AbortController().signal }), /more than/)
  const given = new AbortController()
  const running = runProgram([program], { ...options, signal: given.signal })
  await eventually(() => pids.length === 2)
  given.abort(new Error('nobody wants it'))
  await t.rejects(running, /nobody wants it/)
  await eventually(() => pids.every(pid => !isRunning(pid)))
  await t.rejects(runProgram([join(folder, 'nothing')], {
    ...options, signal: new AbortController().signal
  }).then(({ code }) => { if (code !== 0) throw new Error('not found') }))
})

t.test('its files have a limit', { skip: whichProgram('prlimit') === undefined && 'no prlimit' }, async t => {
  const folder = testFolder(t)
  const program = script(folder, 'head -c 8000000 /dev/zero > large')
  const { signal } = new AbortController()
  const { code } = await runProgram([program], { ...LIMITS, folder, signal, onLine () {} })
  t.not(code, 0)
  t.ok(statSync(join(folder, 'large')).size <= 1024 ** 2)
  t.same(limited(['x'], LIMITS, () => undefined), ['x'], 'without programs for it there are none')
})

const noSetpriv = whichProgram('setpriv') === undefined && 'no setpriv'

t.test('it ends with the service, even one that is killed', { skip: noSetpriv }, async t => {
  const folder = testFolder(t)
  const module = fileURLToPath(new URL('../../../plugins/slicing/engines/run-program.js', import.meta.url))
  const code = `import(${JSON.stringify(module)}).then(({ runProgram }) => runProgram(['sleep', '60'], {
    ...${JSON.stringify(LIMITS)}, timeoutMs: 60_000, folder: ${JSON.stringify(folder)},
    signal: new AbortController().signal, onLine () {}, onStart: pid => console.log(pid)
  }))`
  const service = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [text] = await once(service.stdout, 'data') as [Buffer]
  const pid = Number(text)
  await eventually(() => execFileText('ps', ['-o', 'args=', '-p', String(pid)]).then(args => args.startsWith('sleep')))
  service.kill('SIGKILL')
  await eventually(() => !isRunning(pid))
  t.notOk(isRunning(pid))
})

const execFileText = (program: string, args: readonly string[]) => new Promise<string>((resolve, reject) => {
  execFile(program, args, (error, stdout) => error ? reject(error) : resolve(stdout))
})

t.test('a slicer that fails says why, and one that writes nothing is not believed', { skip }, async t => {
  const folder = testFolder(t)
  const job = (name: string) => ({
    instances: [],
    settings: 'post_process = rm -rf /\nlayer_height = 0.2\n',
    target: { model: UNKNOWN_MODEL, nozzleMm: 0.4 },
    folder: testFolder(t, { [name]: '' })
  })
  const slice = async (lines: string) => {
    const program = script(folder, `[ "$1" = --help ] && echo 'PrusaSlicer-2.9.1+x based on Slic3r' && exit\n${lines}`)
    const its = job('x')
    const slicer = prusaSlicer({ ...LIMITS, program })
    const result = slicer.slice(its, { signal: new AbortController().signal, onProgress () {} })
    return { found: await slicer.find(), result, its }
  }
  const broken = await slice('echo "[2026-01-01 00:00:00] [0x1] [error]   The nozzle is missing"; echo "20 => x"; exit 1')
  t.match(broken.found, { version: '2.9.1' })
  await t.rejects(broken.result, { code: 'PRN_ERR_SLICER_FAILED', message: /plate: The nozzle is missing|The nozzle is missing/ })
  await t.rejects((await slice('exit 0')).result, { code: 'PRN_ERR_SLICER_FAILED', message: /code 0/ })
  await t.rejects((await slice('kill -SEGV $$')).result, { code: 'PRN_ERR_SLICER_FAILED', message: /SIGSEGV|139/ })
  const good = await slice('while [ "$1" != --output ]; do shift; done; echo G28 > "$2"')
  t.match(await good.result, { gcode: join(good.its.folder, 'plate.gcode') })
  t.notMatch(readFileSync(join(good.its.folder, 'settings.ini'), 'utf8'), /post_process/, 'no other program is run')
  t.equal(await findSlicer({ names: ['prnd-no-such-slicer'], paths: [], ask: [], version: /x/ }), undefined)
})
