import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { toSafeFileName } from '../../../core/index.js'
import { bootCharts } from './boot.js'

const PAGE = 'prnd-charts-x1c.html'

t.test('writes the dashboard for its owner only and opens it', async t => {
  const { tool, opened, folder, name } = await bootCharts(t)
  const { value, failed } = await tool('open_charts', { name })
  t.notOk(failed)
  t.same(value, { output_path: join(folder, PAGE), opened: true })
  t.equal(statSync(value.output_path).mode & 0o777, 0o600)
  t.match(readFileSync(value.output_path, 'utf8'), '<h1>Charts of x1c</h1>')
  t.same(opened.map(address => fileURLToPath(address)), [value.output_path])
  t.same(readdirSync(folder), [PAGE], 'and leaves nothing else behind')
})

t.test('where nobody sits at the machine it says so, and names the live page', async t => {
  const config = { api: { host: '127.0.0.1' } }
  const { tool, kernel, name } = await bootCharts(t, { browser: false, listen: true, config })
  const { value } = await tool('open_charts', { name })
  t.equal(value.opened, false)
  t.equal(value.url, `http://localhost:${kernel.apiPort}/api/charts?printer=${name}`)
  t.match(readFileSync(value.output_path, 'utf8'), `<a href="${value.url}">`)
  t.equal((await fetch(value.url)).status, 200)
})

t.test('a page of before is replaced, also one that others could read', async t => {
  const { tool, folder, name } = await bootCharts(t)
  writeFileSync(join(folder, PAGE), 'old', { mode: 0o644 })
  t.notOk((await tool('open_charts', { name })).failed)
  t.match(readFileSync(join(folder, PAGE), 'utf8'), '<!doctype html>')
  t.equal(statSync(join(folder, PAGE)).mode & 0o777, 0o600)
})

t.test('never through a link', async t => {
  const { tool, opened, folder, name } = await bootCharts(t)
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'precious')
  symlinkSync(victim, join(folder, PAGE))
  const { value, failed } = await tool('open_charts', { name })
  t.ok(failed)
  t.equal(value.error, 'unsafe_output_path')
  t.match(value.detail, PAGE)
  t.equal(readFileSync(victim, 'utf8'), 'precious')
  t.ok(lstatSync(join(folder, PAGE)).isSymbolicLink())
  t.same(opened, [])
})

t.test('nor over a file with a second name', async t => {
  const { tool, folder, name } = await bootCharts(t)
  const victim = join(folder, 'victim')
  writeFileSync(victim, 'precious')
  linkSync(victim, join(folder, PAGE))
  t.equal((await tool('open_charts', { name })).value.error, 'unsafe_output_path')
  t.equal(readFileSync(victim, 'utf8'), 'precious')
})

t.test('nor over a folder', async t => {
  const { tool, folder, name } = await bootCharts(t)
  mkdirSync(join(folder, PAGE))
  t.equal((await tool('open_charts', { name })).value.error, 'unsafe_output_path')
})

t.test('what cannot be written', async t => {
  const booted = await bootCharts(t)
  const { kernel, tool, name } = booted
  Object.assign(kernel.services.charts, { folder: join(booted.folder, 'not', 'there') })
  const { value, failed } = await tool('open_charts', { name })
  t.ok(failed)
  t.equal(value.error, 'write_failed')
  t.match(value.detail, 'cannot be written')
})

t.test('a printer without a session', async t => {
  const { tool, opened } = await bootCharts(t)
  const { value, failed } = await tool('open_charts', { name: 'nope' })
  t.ok(failed)
  t.match(value, { error: 'not_connected', detail: /^No printer of that name is configured\. Configured: 'x1c'\.$/ })
  t.same(opened, [])
})

t.test('any name becomes one plain file name of its own', async t => {
  t.equal(toSafeFileName('My H2D'), 'My%20H2D')
  t.equal(toSafeFileName('../..'), '..%2F..')
  t.equal(toSafeFileName('ü*\\'), '%C3%BC%2A%5C')
  const [a, b] = ['a', 'b'].map(end => toSafeFileName('打'.repeat(63) + end))
  t.ok(a && a.length < 220)
  t.not(a, b, 'also when they are too long')
  const { tool, folder } = await bootCharts(t, { models: [{ model: 'X1C', name: 'Küche & <Büro>' }] })
  const { value } = await tool('open_charts', { name: 'Küche & <Büro>' })
  t.equal(value.output_path, join(folder, 'prnd-charts-K%C3%BCche%20%26%20%3CB%C3%BCro%3E.html'))
})

t.test('the tool reads, is not repeatable, and asks for no permission', async t => {
  const { client, kernel } = await bootCharts(t)
  const { tools } = await client.listTools()
  const found = tools.find(({ name }) => name === 'open_charts')
  t.same(found?.annotations, { readOnlyHint: true, openWorldHint: false })
  t.equal(kernel.services.mcp.serverContext.tools.get('open_charts')?.idempotent, false)
  t.same(Object.keys(found?.inputSchema.properties ?? {}), ['name'])
})
