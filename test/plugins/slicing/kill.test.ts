import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createVirtualPrinter } from '../../../plugins/emulator/index.js'
import { whichProgram } from '../../../plugins/slicing/engines/run-program.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { isRunning } from '../../helpers/processes.js'
import { build, listening } from '../../outside/installed.js'
import { daemon, entryOf } from '../../presets/prnd.js'
import { boxStl } from './models.js'

const skip = whichProgram('setpriv') === undefined && 'no setpriv'

t.test('a service that is killed in the middle of slicing leaves nothing behind, and slices again', { skip }, async t => {
  await build()
  const printer = createVirtualPrinter({ model: 'P1S', name: 'p1s', reportEveryMs: 100 })
  await printer.start()
  t.teardown(() => printer.stop())
  const folder = testFolder(t)
  const [program, pids] = [join(folder, 'slicer'), join(folder, 'pids')]
  writeFileSync(program, `#!/bin/sh
[ "$1" = --help ] && echo 'PrusaSlicer-2.9.1+x based on Slic3r' && exit
echo '20 => Generating perimeters'
echo $$ >> '${pids}'
exec sleep 600
`)
  chmodSync(program, 0o755)
  const dataDir = join(folder, 'data')
  const file = join(folder, 'config.json')
  const plugins = { slicing: { prusaSlicer: program } }
  writeFileSync(file, JSON.stringify({ printers: [entryOf(printer)], dataDir, plugins }))
  const jobs = join(dataDir, 'plugins', 'slicing', 'jobs')
  const leftOvers = () => readdirSync(jobs).filter(name => name.startsWith('work-'))
  const begun = () => existsSync(pids) ? readFileSync(pids, 'utf8').trim().split('\n').map(Number) : []

  let service = daemon(t, file)
  let port = await listening(service)
  const ask = async (method: string, path: string, body?: object | Buffer) => {
    const isModel = Buffer.isBuffer(body)
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...body && { body: isModel ? new Uint8Array(body) : JSON.stringify(body) },
      headers: body ? { 'content-type': isModel ? 'application/octet-stream' : 'application/json' } : {}
    })
    return { status: answer.status, body: await answer.json() as any }
  }
  await ask('POST', '/api/slicing/models?filename=cube.stl', boxStl([20, 20, 4]))
  await ask('POST', '/api/slicing/start_code', { printer: 'p1s', accepted: true })
  const { body: { id } } = await ask('POST', '/api/slicing/jobs', { printer: 'p1s', parts: [{ model: 'cube.stl' }] })
  for (const times of [1, 2]) {
    await eventually(() => begun().length === times, 60_000)
    t.match((await ask('GET', `/api/slicing/jobs/${id}`)).body, { state: 'running' })
    t.same(leftOvers(), [`work-${id}`])
    service.child.kill('SIGKILL')
    await service.gone
    await eventually(() => !isRunning(begun().at(-1)!))
    service = daemon(t, file)
    port = await listening(service)
  }
  const { body: job } = await ask('GET', `/api/slicing/jobs/${id}`)
  t.match(job, { state: 'failed', error: /service ended while it was sliced, twice/ }, 'the job says what happened')
  t.same(leftOvers(), [], 'its folder is gone')
  t.equal(begun().length, 2, 'and it is not tried a third time')

  rmSync(pids)
  const { body: { id: next } } = await ask('POST', '/api/slicing/jobs', { printer: 'p1s', parts: [{ model: 'cube.stl' }] })
  await eventually(() => begun().length === 1, 60_000)
  service.child.kill('SIGTERM')
  await service.gone
  t.notOk(isRunning(begun()[0]!), 'a service that is ended in order ends the slicer')
  t.match(JSON.parse(readFileSync(join(jobs, 'jobs.json'), 'utf8')).jobs.find(({ id }: { id: string }) => id === next),
    { state: 'waiting', attempts: 0 }, 'and slices at its next start')
})
