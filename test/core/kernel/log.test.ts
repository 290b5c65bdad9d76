import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import t, { type Test } from 'tap'
import { LEVELS, createLogs } from '../../../core/kernel/log.js'
import { createRedactor } from '../../../core/kernel/redact.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

interface Line { level: number, msg: string, [key: string]: unknown }

async function start (t: Test, toFile = true) {
  const path = toFile ? join(testFolder(t), 'prnd.log') : undefined
  let echoed = ''
  const echo = new Writable({ write (chunk, _encoding, done) { echoed += chunk; done() } })
  const redactor = createRedactor()
  const logs = await createLogs({ path, echo, redactor })
  t.teardown(() => logs.close())
  return {
    logs,
    path: path ?? '',
    redactor,
    echoed: () => echoed,
    /** What is in the file once everything is written. */
    async lines () {
      await logs.close()
      const text = await readFile(path ?? '', 'utf8')
      return text.split('\n').filter(line => line !== '').map(line => JSON.parse(line) as Line)
    }
  }
}

t.test('both groups begin at ERROR', async t => {
  const { logs, lines } = await start(t)
  t.equal(logs.level('service'), 'ERROR')
  t.equal(logs.level('printers'), 'ERROR')
  for (const logger of [logs.root, logs.child('service', { plugin: 'a' }), logs.child('printers', { printer: 'b' })]) {
    logger.warn('quiet')
    logger.error('loud')
    logger.fatal('louder')
  }
  t.same((await lines()).map(({ msg }) => msg), ['loud', 'louder', 'loud', 'louder', 'loud', 'louder'])
})

t.test('the level of a group changes for all its loggers, old and new, and for no other', async t => {
  const { logs, lines } = await start(t)
  const old = { service: logs.child('service', {}), printers: logs.child('printers', {}) }
  logs.setLevel('printers', 'DEBUG')
  t.equal(logs.level('printers'), 'DEBUG')
  t.equal(logs.level('service'), 'ERROR')
  const young = { service: logs.child('service', {}), printers: logs.child('printers', {}) }
  old.service.debug('1')
  young.service.debug('2')
  old.printers.debug('3')
  young.printers.debug('4')
  logs.setLevel('service', 'INFO')
  old.service.info('5')
  logs.root.info('6')
  logs.setLevel('printers', 'CRITICAL')
  old.printers.error('7')
  t.same((await lines()).map(({ msg }) => msg), ['3', '4', '5', '6'])
})

t.test('every level by its name', async t => {
  const { logs, lines } = await start(t)
  for (const level of LEVELS) {
    logs.setLevel('service', level)
    for (const name of ['debug', 'info', 'warn', 'error', 'fatal'] as const) logs.root[name](`${level}:${name}`)
  }
  const seen = (await lines()).map(({ msg }) => msg.split(':')[0])
  t.same(LEVELS.map(level => seen.filter(name => name === level).length), [5, 4, 3, 2, 1])
})

t.test('raw payloads are written whatever the levels say', async t => {
  const { logs, lines } = await start(t)
  logs.wire.child({ printer: 'a1' }).debug({ direction: 'in' }, 'payload')
  t.match(await lines(), [{ module: 'wire', printer: 'a1', direction: 'in', msg: 'payload' }])
})

t.test('a forgotten logger is not changed any more', async t => {
  const { logs, lines } = await start(t)
  const logger = logs.child('printers', {})
  logs.forget(logger)
  logs.forget(logger)
  logs.setLevel('printers', 'DEBUG')
  logger.debug('quiet')
  t.same(await lines(), [])
})

t.test('lines are JSON with an ISO time, data first', async t => {
  const { logs, lines } = await start(t)
  logs.child('service', { plugin: 'x' }).error({ err: new Error('boom'), count: 3 }, 'it failed')
  const [line] = await lines()
  t.match(line, { level: 50, plugin: 'x', count: 3, msg: 'it failed', err: { message: 'boom', stack: /Error: boom/ } })
  t.match(line?.time, /^\d{4}-\d\d-\d\dT/)
})

t.test('secrets are masked in the file and in the echo', async t => {
  const { logs, redactor, lines, echoed } = await start(t)
  redactor.add('12345678')
  logs.root.error({ code: '12345678', access_code: 'other', nested: { text: 'is 12345678' } }, 'with 12345678')
  const written = JSON.stringify(await lines())
  for (const text of [written, echoed()]) {
    t.notMatch(text, /12345678|other/)
    t.match(text, /with \*{8}/)
  }
})

t.test('the file is for its owner only and is appended to', async t => {
  const { logs, path, lines } = await start(t)
  logs.root.error('first')
  await logs.close()
  t.equal((await stat(path)).mode & 0o777, 0o600)
  const again = await createLogs({ path, redactor: createRedactor() })
  again.root.error('second')
  await again.close()
  t.same((await lines()).map(({ msg }) => msg), ['first', 'second'])
})

t.test('truncated while open, it goes on at the beginning', async t => {
  const { logs, path, lines } = await start(t)
  logs.root.error('before')
  await eventually(async () => (await stat(path)).size > 0)
  await logs.truncate()
  t.equal((await stat(path)).size, 0)
  logs.root.error('after')
  const text = await lines()
  t.same(text.map(({ msg }) => msg), ['after'])
  t.notMatch(await readFile(path, 'utf8'), '\u0000', 'no hole where the old lines were')
})

t.test('a file that is gone has nothing to empty', async t => {
  const { logs, path } = await start(t)
  logs.root.error('x')
  await eventually(async () => (await stat(path)).size > 0)
  await rm(path)
  await t.resolves(logs.truncate())
})

t.test('without a file only the echo hears', async t => {
  const { logs, echoed } = await start(t, false)
  t.equal(logs.path, undefined)
  logs.root.error('heard')
  t.match(echoed(), /"msg":"heard"/)
  await t.resolves(logs.truncate())
  await t.resolves(logs.close())
})

t.test('a file that cannot be written is complained of and stops nothing', async t => {
  const folder = testFolder(t, { file: 'in the way', folder: {} })
  for (const path of [join(folder, 'file', 'below', 'prnd.log'), join(folder, 'folder')]) {
    let echoed = ''
    const echo = new Writable({ write (chunk, _encoding, done) { echoed += chunk; done() } })
    const logs = await createLogs({ path, echo, redactor: createRedactor() })
    await eventually(() => echoed.includes('the log file cannot be written'))
    logs.root.error('still heard')
    t.match(echoed, /the log file cannot be written: E(NOTDIR|EXIST|ISDIR)[^]*"msg":"still heard"/)
    await t.resolves(logs.close())
  }
})

t.test('what is logged after the end is dropped in silence, and closing twice is once', async t => {
  const { logs, echoed, lines } = await start(t)
  await logs.close()
  logs.root.error('too late')
  t.same(await lines(), [])
  t.equal(echoed(), '')
  await t.resolves(logs.close())
})

t.test('a folder on the way is made', async t => {
  const folder = testFolder(t)
  await mkdir(join(folder, 'a'))
  await writeFile(join(folder, 'a', 'x'), '')
  const logs = await createLogs({ path: join(folder, 'a', 'b', 'prnd.log'), redactor: createRedactor() })
  logs.root.error('x')
  await logs.close()
  t.match(await readFile(join(folder, 'a', 'b', 'prnd.log'), 'utf8'), /"msg":"x"/)
})
