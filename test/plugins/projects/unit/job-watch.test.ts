import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import type { CardEntry, FilesService } from '../../../../plugins/files/index.js'
import { createJobWatch } from '../../../../plugins/projects/job-watch.js'
import { jobFile } from '../../../../plugins/projects/job.js'
import { eventually } from '../../../helpers/eventually.js'

const silent = pino({ level: 'silent' })
const RETRY_MS = 5

function session (subtaskName = 'Benchy', start?: object) {
  const listeners = new Set<() => void>()
  const job = { gcodeState: 'RUNNING', subtaskName, subtaskId: '1', taskId: '1', plate: 1, gcodeFile: '' }
  const one = {
    name: 'p1s',
    state: { job },
    context: start === undefined ? {} : { projectFile: start },
    signal: new AbortController().signal,
    events: { on: (_: string, told: () => void) => { listeners.add(told); return () => listeners.delete(told) } }
  }
  return {
    session: one as unknown as PrinterSession,
    report (change: Partial<typeof job>) {
      one.state = { job: { ...one.state.job, ...change } }
      for (const told of listeners) told()
    }
  }
}

t.test('what is not found is looked for again, and the card listed ever more rarely', async t => {
  const tries: boolean[] = []
  const watch = createJobWatch(async (_, thorough) => { tries.push(thorough); return undefined }, silent, RETRY_MS)
  const { session: printer, report } = session()
  t.teardown(watch.follow(printer))
  await eventually(() => tries.length >= 9)
  t.same(tries.slice(0, 9), [true, true, false, true, false, false, false, true, false])
  t.same(watch.of(printer), { info: null, fetched: true })
  report({ gcodeState: 'FINISH' })
  await sleep(10 * RETRY_MS)
  const { length } = tries
  await sleep(10 * RETRY_MS)
  t.equal(tries.length, length, 'not without a job')
  report({ gcodeState: 'RUNNING', taskId: '2' })
  await eventually(() => tries.length > length + 1)
  t.same(tries.slice(length, length + 2), [true, true], 'a new job is looked for from the beginning')
})

function card (...listed: readonly string[]) {
  const asked: string[] = []
  const there = new Set(listed)
  let known = [...there]
  const entries = () => known.map(path => ({ path, name: path.slice(path.lastIndexOf('/') + 1), isFolder: false }) as CardEntry)
  const files = {
    async list (_: unknown, { refresh = false } = {}) {
      if (refresh) {
        asked.push('LIST')
        known = [...there]
      }
      return entries()
    },
    async has (_: unknown, path: string) {
      asked.push(path)
      return there.has(path)
    }
  } as unknown as FilesService
  return { files, asked, there }
}

t.test('a file that came since is found by its usual path without a listing in vain', async t => {
  const { files, asked, there } = card('/other.3mf')
  const { session: printer } = session()
  t.equal(await jobFile(files, printer, { thorough: false }), undefined)
  t.same(asked, ['/cache/Benchy.3mf', '/cache/Benchy.gcode.3mf', '/Benchy.3mf', '/Benchy.gcode.3mf'])
  there.add('/Benchy.gcode.3mf')
  t.match(await jobFile(files, printer, { thorough: false }), { path: '/Benchy.gcode.3mf' })
  t.equal(asked.at(-1), 'LIST')
  const before = asked.length
  t.match(await jobFile(files, printer, { thorough: false }), { path: '/Benchy.gcode.3mf' })
  t.equal(asked.length, before, 'what is listed is asked for no more')
})

t.test('a thorough search finds it wherever it lies', async t => {
  const { files, asked, there } = card()
  const { session: printer } = session()
  there.add('/folder/Benchy.3mf')
  t.equal(await jobFile(files, printer, { thorough: false }), undefined)
  asked.length = 0
  t.match(await jobFile(files, printer, {}), { path: '/folder/Benchy.3mf' })
  t.same(asked, ['LIST'])
})

t.test('the file of a job that the printer renamed is found by the command that started it', async t => {
  const { files } = card('/jobs/Benchy: new.3mf', '/other.3mf')
  const start = { url: 'ftp:///jobs/Benchy:%20new.3mf', subtaskName: 'Benchy: new' }
  t.match(await jobFile(files, session('Benchy_ new', { ...start, taskId: '0' }).session, {}), { path: '/jobs/Benchy: new.3mf' })
  t.match(await jobFile(files, session('', { ...start, taskId: '1' }).session, {}), { path: '/jobs/Benchy: new.3mf' },
    'by its id, where the printer shows no name')
  t.equal(await jobFile(files, session('', { ...start, taskId: '2' }).session, {}), undefined, 'another job')
  t.equal(await jobFile(files, session('third', { ...start, taskId: '2' }).session, {}), undefined)
})

t.test('without that command by its name, with forbidden characters replaced or not', async t => {
  const { files } = card('/a/Benchy? 1.gcode.3mf', '/a/Benchy_ 2.3mf')
  t.match(await jobFile(files, session('Benchy_ 1').session, {}), { path: '/a/Benchy? 1.gcode.3mf' })
  t.match(await jobFile(files, session('Benchy? 2').session, {}), { path: '/a/Benchy_ 2.3mf' })
  const both = card('/b/x?.3mf', '/a/x_.3mf')
  t.match(await jobFile(both.files, session('x_').session, {}), { path: '/a/x_.3mf' }, 'its very name first')
})
