import { join } from 'node:path'
import t, { type Test } from 'tap'
import { Type } from 'typebox'
import { openJsonStore } from '../../../../core/index.js'
import type { Row } from '../../../../plugins/database/index.js'
import { WriteQueue } from '../../../../plugins/database/write-queue.js'
import { eventually } from '../../../helpers/eventually.js'
import { testFolder } from '../../../helpers/folder.js'

const row = (id: string, fields: object = {}, table = 'a'): Row => ({ table, values: { id, ...fields } })

const journalIn = (folder: string) => openJsonStore(join(folder, 'journal.json'), {
  schema: Type.Unsafe<Row[]>(Type.Array(Type.Any())), initial: [], warn: message => { throw new Error(message) }
})

const BAD_ROW = new Error('cannot be stored')

async function make (t: Test, folder = testFolder(t), mostRows = 1000, leastRetryMs = 60_000) {
  const written: Row[] = []
  const refused: string[] = []
  const refusing = new Set<string>()
  let silence: Promise<void> | undefined
  const problems: (string | undefined)[] = []
  const broken = new Set<string>()
  const queue = new WriteQueue({
    journal: await journalIn(folder),
    mostRows,
    lateMs: 20,
    leastRetryMs,
    onProblem: problem => { problems.push(problem?.message) },
    isOfRow: error => error === BAD_ROW,
    onRefused: ({ values: { id } }) => { refused.push(id) },
    write: async rows => {
      await silence
      if (rows.some(({ values: { id } }) => refusing.has(id))) throw BAD_ROW
      if (rows.some(({ table }) => broken.has(table))) throw new Error('disk full')
      written.push(...rows)
    }
  })
  t.teardown(() => queue.close())
  const beSilent = (until: Promise<void>) => { silence = until }
  return { queue, written, problems, broken, refused, refusing, beSilent, folder }
}

t.test('rows are written in order, and changes of one row together', async t => {
  const { queue, written } = await make(t)
  queue.put(row('1', { n: 1 }))
  queue.put(row('2'))
  queue.put(row('2', { n: 2 }))
  await queue.flush()
  t.same(new Map(written.map(({ values }) => [values.id, values])), new Map([
    ['1', { id: '1', n: 1 }], ['2', { id: '2', n: 2 }]
  ]))
  t.equal(queue.waiting, 0)
})

t.test('what cannot be written waits in the journal, and is written by the next process', async t => {
  const first = await make(t)
  first.broken.add('a')
  first.queue.put(row('1', { n: 1 }))
  await first.queue.flush()
  first.queue.put(row('1', { m: 2 }))
  await first.queue.close()
  t.same(first.problems, ['disk full'])
  t.same((await journalIn(first.folder)).get(), [row('1', { n: 1, m: 2 })])

  const next = await make(t, first.folder)
  t.equal(next.queue.waiting, 1)
  await next.queue.flush()
  t.same(next.written, [row('1', { n: 1, m: 2 })])
  await eventually(async () => (await journalIn(first.folder)).get().length === 0)
})

t.test('it is tried again by itself', async t => {
  const { queue, written, problems, broken } = await make(t)
  broken.add('a')
  queue.put(row('1'))
  await queue.flush()
  broken.clear()
  await eventually(() => queue.waiting === 0)
  t.same(written, [row('1')])
  t.same(problems, ['disk full', undefined])
})

t.test('a question causes an attempt before its time, but not one after the other', async t => {
  for (const [leastRetryMs, waiting] of [[0, 0], [60_000, 1]] as const) {
    const { queue, broken } = await make(t, testFolder(t), 1000, leastRetryMs)
    broken.add('a')
    queue.put(row('1'))
    await queue.flush()
    broken.clear()
    await queue.retry()
    t.equal(queue.waiting, waiting)
  }
})

t.test('one table that cannot be written does not hold up the others', async t => {
  const { queue, written, broken } = await make(t)
  broken.add('bad')
  queue.put(row('1', {}, 'bad'))
  queue.put(row('2', {}, 'good'))
  await queue.flush()
  t.same(written, [row('2', {}, 'good')])
  t.equal(queue.waiting, 1)
})

t.test('what waits is bounded: the oldest go, and are counted', async t => {
  const { queue, broken } = await make(t, undefined, 3)
  broken.add('a')
  for (const id of ['1', '2', '3', '4', '5']) queue.put(row(id))
  await queue.flush()
  t.match(queue, { waiting: 3, dropped: 2 })
})

t.test('a row that cannot be stored is dropped, and does not hold up those of its table', async t => {
  const { queue, written, refused, refusing, problems } = await make(t)
  refusing.add('2')
  for (const id of ['1', '2', '3']) queue.put(row(id))
  await queue.flush()
  t.same(written, [row('1'), row('3')])
  t.same(refused, ['2'])
  t.match(queue, { waiting: 0, dropped: 1, problem: undefined })
  t.same(problems, [])
})

t.test('what a silent database does not answer to is in the journal, also at the end', async t => {
  const { queue, written, beSilent, folder } = await make(t)
  let answer = () => {}
  beSilent(new Promise(resolve => { answer = resolve }))
  const journaled = async () => (await journalIn(folder)).get().map(({ values: { id } }) => id)
  queue.put(row('1'))
  await eventually(async () => (await journaled()).length === 1)
  queue.put(row('2'))
  await queue.close()
  t.same(await journaled(), ['1', '2'])
  answer()
  await queue.settled()
  t.same(written, [row('1'), row('2')])
  t.same(await journaled(), [])
})
