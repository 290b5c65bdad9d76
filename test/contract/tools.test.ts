import t from 'tap'
import { boot } from '../helpers/boot.js'
import { oneFleet } from './fleet.js'
import { CONTROL, isOf } from './rows.js'
import { TOOL_CASES } from './tools.cases.data.js'
import { GROUPS, TOOLS } from './tools.data.js'
import { areOffered, toolsWork } from './tools.good.js'
import { asks, complete, ROWS } from './tools.walk.js'

const fleetOnce = oneFleet(t)
const CONTROLS = ROWS.filter(isOf(...CONTROL))

t.test('the table holds every tool', async t => {
  t.equal(TOOLS.length, 106)
  t.equal(new Set(TOOLS.map(({ name }) => name)).size, 106, 'each once')
  for (const [group, count] of Object.entries(GROUPS)) {
    t.equal(TOOLS.filter(row => row.group === group).length, count, group)
  }
  const kinds = ['read', 'write', 'destructive', 'local'].map(kind => TOOLS.filter(row => row.kind === kind).length)
  t.same(kinds, [53, 40, 12, 1], 'by kind')
  t.equal(TOOLS.filter(asks).length, 50, 'that ask for consent')
})

t.test('what exists is offered with its arguments and annotations, and nothing else', async t => {
  await areOffered(t, await fleetOnce(), CONTROLS)
})

t.test('every tool does what it says, on every family', async t => {
  await toolsWork(t, await fleetOnce(), CONTROLS)
})

/** Text and structured content together. */
const LONGEST = 25_000

t.test('what is too long to be read comes in pages', async t => {
  const { tool, name } = await fleetOnce()
  for (const row of ROWS.filter(({ kind }) => kind === 'read')) {
    const { value, text } = await tool(row.name, complete(row, TOOL_CASES[row.name]?.good[0]?.args ?? {}, name))
    t.ok(text.length + JSON.stringify(value).length <= LONGEST, row.name)
  }
  const first = (await tool('get_filament_catalog')).value
  t.match(first, { count: first.filaments.length, next_cursor: String(first.filaments.length) }, 'rows, then a cursor')
  let { filaments, next_cursor: cursor } = first
  while (cursor !== undefined) {
    const page = (await tool('get_filament_catalog', { cursor })).value
    filaments = [...filaments, ...page.filaments]
    cursor = page.next_cursor
  }
  t.equal(filaments.length, first.total, 'and all of them in the end')
  const small = await tool('get_filament_catalog', { search: 'no such thing' })
  t.same(small.value, { count: 0, filaments: [] }, 'a small one stays as it is')
})

t.test('the envelope can be switched off', async t => {
  const { tool } = await boot(t, { models: ['P1S'], config: { plugins: { mcp: { envelope: false } } } })
  const answer = await tool('get_filament_catalog')
  t.ok(answer.text.length > LONGEST)
  t.notOk('compressed' in answer.value)
})

/** A token is about four characters of the JSON that agents are given. */
const CHARS_PER_TOKEN = 4
const MOST_TOKENS = 350
const MOST_ON_AVERAGE = 110

t.test('the definitions are short', async t => {
  const { client } = await fleetOnce()
  const { tools } = await client.listTools()
  const tokens = tools.map(tool => ({ name: tool.name, count: JSON.stringify(tool).length / CHARS_PER_TOKEN }))
  for (const { name, count } of tokens) t.ok(count <= MOST_TOKENS, `${name}: ${Math.round(count)}`)
  const average = tokens.reduce((sum, { count }) => sum + count, 0) / tokens.length
  t.ok(average <= MOST_ON_AVERAGE, `${Math.round(average)} on average`)
  for (const { name, description } of tools) t.match(description, /\S{2}/, `${name} is described`)
})
