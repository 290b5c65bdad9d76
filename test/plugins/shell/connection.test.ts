import t from 'tap'
import { pageModules } from '../../helpers/page-module.js'

/** The line on the page, and what marks the page as old. */
async function begin () {
  const note = { textContent: '', className: '', setAttribute () {} }
  const marks = new Set<string>()
  const classList = {
    add: (name: string) => marks.add(name),
    remove: (name: string) => marks.delete(name),
    contains: (name: string) => marks.has(name)
  }
  const document = { createElement: () => note, getElementById: () => null, body: { classList } }
  const stubs = 'export const t = (_, { time }) => time; export const clock = String; export const dateTime = String'
  const { reached } = await pageModules(['shell/page/connection.js'], { globals: { document }, files: { 'shell/page/shell.js': stubs } })
  return { reached: reached as (path: string, seen?: string) => void, note, marks }
}

t.test('an answer that is fresh says nothing of another that is old', async t => {
  const { reached, note, marks } = await begin()
  const [early, late] = ['2026-11-30T09:00:00.000Z', '2026-11-30T14:00:00.000Z']
  reached('queue/board', late)
  reached('spools', early)
  t.match(note.textContent, String(Date.parse(early)), 'the oldest counts')
  reached('fleet/summary')
  t.ok(marks.has('lost'), 'the board is still of before')
  reached('spools')
  t.match(note.textContent, String(Date.parse(late)))
  reached('queue/board')
  t.same([note.textContent, [...marks]], ['', []])
})
