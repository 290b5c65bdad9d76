import t from 'tap'
import { countedPagesOf, newestPagesOf, pagesOf, type Pager } from '../../../core/index.js'

const MOST = 300

/** All pages of an answer, one after the other. */
function pagesIn (pager: Pager, answer: object): Record<string, any>[] {
  const pages: Record<string, any>[] = []
  let cursor: string | undefined
  do {
    const page = pager(answer, cursor, MOST) as Record<string, any>
    pages.push(page)
    cursor = page.next_cursor
  } while (cursor !== undefined && pages.length < 100)
  return pages
}

const rows = (count: number, prefix: string) => Array.from({ length: count }, (_, at) => `${prefix} ${at}`)

t.test('pages of several lists fit, and together are all of them, in order', t => {
  const answer = { note: 'kept', jobs: rows(40, 'job'), printers: rows(55, 'printer'), none: [] }
  const pages = pagesIn(pagesOf('jobs', 'printers', 'none'), answer)
  t.ok(pages.length > 2)
  for (const page of pages) t.ok(JSON.stringify(page).length <= MOST, `${JSON.stringify(page).length}`)
  t.same(pages.flatMap(({ jobs }) => jobs), answer.jobs)
  t.same(pages.flatMap(({ printers }) => printers), answer.printers)
  t.same(pages.map(({ note }) => note).filter(note => note !== 'kept'), [])
  t.same(pagesOf('jobs')({ jobs: ['a'] }, undefined, MOST), { jobs: ['a'] }, 'what fits has no cursor')
  t.same(pagesOf('jobs')({ jobs: ['x'.repeat(900), 'b'] }, undefined, MOST),
    { jobs: ['x'.repeat(900)], next_cursor: '1' }, 'one entry comes in any case')
  for (const cursor of ['x', '40', '-1', '1.5']) {
    t.throws(() => pagesOf('jobs')({ jobs: rows(40, 'job') }, cursor, MOST), { code: 'PRN_ERR_BAD_INPUT' }, cursor)
  }
  t.end()
})

t.test('a count is that of the page, with the total beside it', t => {
  const answer = { count: 90, list: rows(90, 'row') }
  const pages = pagesIn(countedPagesOf('list', 'count'), answer)
  for (const { count, list, total } of pages) t.same([count, total], [list.length, 90])
  t.same(pages.flatMap(({ list }) => list), answer.list)
  t.same(countedPagesOf('list', 'count')({ count: 1, list: ['a'] }, undefined, MOST), { count: 1, list: ['a'] })
  t.end()
})

t.test('a log is paged from its end, each page with its newest line last', t => {
  const answer = { lines: rows(90, 'line'), total_lines: 90, log_path: '/log' }
  const pages = pagesIn(newestPagesOf('lines', 'total_lines'), answer)
  t.equal(pages[0]?.lines.at(-1), 'line 89')
  t.same(pages.toReversed().flatMap(({ lines }) => lines), answer.lines)
  t.same(pages.map(({ total_lines: count }) => count), pages.map(({ lines }) => lines.length))
  t.end()
})
