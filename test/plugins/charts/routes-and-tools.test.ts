import t from 'tap'
import { readSvg, texts } from './read-svg.js'
import { bootCharts } from './boot.js'

const TITLES =
  ['Temperature History', 'Fan Speeds', 'Anomaly & Health', 'Failure Analysis', 'Camera Calibration', 'AMS Filament']
const titles = (panels: readonly string[]) => panels.map(text => texts(readSvg(text))[0])

t.test('the six panels in their documented order, with the local time', async t => {
  const { http, name, kernel } = await bootCharts(t)
  const { status, body } = await http('GET', '/api/charts_panels', { printer: name })
  t.equal(status, 200)
  t.same(Object.keys(body).sort(), ['panels', 'ts'])
  t.same(titles(body.panels), TITLES)
  t.match(body.ts, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  t.ok(Math.abs(new Date(body.ts).getTime() - kernel.now()) < 60_000)
})

t.test('the page carries the panels and may load nothing but its own', async t => {
  const { kernel, name } = await bootCharts(t)
  const { statusCode, headers, body } = await kernel.app.inject({ url: '/api/charts', query: { printer: name } })
  t.equal(statusCode, 200)
  t.equal(headers['content-type'], 'text/html; charset=utf-8')
  t.equal(headers['cache-control'], 'no-store')
  const policy = String(headers['content-security-policy'])
  t.match(policy, "default-src 'none'")
  t.notMatch(policy, 'unsafe')
  t.equal(body.match(/<svg [^>]*role="img"/g)?.length, 6)
  t.notMatch(body, /<script(?! src="charts\/page-[0-9a-f]{16}\/dashboard\.js">)/)
  t.notMatch(body, / style=| on[a-z]+=/)
  for (const title of TITLES) t.match(body, `>${title.replace('&', '&amp;')}</h2>`)
})

t.test('script and style sheet are served below the page and kept for good', async t => {
  const { kernel, name } = await bootCharts(t)
  const { body } = await kernel.app.inject({ url: '/api/charts', query: { printer: name } })
  for (const [, path = ''] of body.matchAll(/(?:src|href)="(charts\/[^"]+)"/g)) {
    const { statusCode, headers } = await kernel.app.inject(`/api/${path}`)
    t.equal(statusCode, 200, path)
    t.match(headers['content-type'], path.endsWith('.js') ? 'text/javascript' : 'text/css')
    t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    const again = await kernel.app.inject({ url: `/api/${path}`, headers: { 'if-none-match': String(headers.etag) } })
    t.equal(again.statusCode, 304)
  }
  t.equal((await kernel.app.inject('/api/charts/page-0000000000000000/dashboard.js')).statusCode, 404)
})

t.test('an unknown printer: a page that says so, an error, and the other printers to choose', async t => {
  const { kernel, http, name } = await bootCharts(t)
  const page = await kernel.app.inject({ url: '/api/charts', query: { printer: 'nope <b>' } })
  t.equal(page.statusCode, 400)
  t.equal(page.headers['content-type'], 'text/html; charset=utf-8')
  t.match(page.body, "Printer 'nope &lt;b&gt;' not connected")
  t.match(page.body, `<option value="${name}">`)
  const { status, body } = await http('GET', '/api/charts_panels', { printer: 'nope' })
  t.equal(status, 400)
  t.match(body, { status: 'error', error: 'not_connected', reason: "Printer 'nope' not connected" })
})

t.test('without a name it is the default printer; without printers there is a page all the same', async t => {
  const { kernel, http } = await bootCharts(t, { models: ['P1S', 'A1_MINI'] })
  t.match((await kernel.app.inject('/api/charts')).body, '<h1>Charts of p1s</h1>')
  t.equal((await http('GET', '/api/charts_panels')).body.panels.length, 6)
  const none = await bootCharts(t, { models: [] })
  const page = await none.kernel.app.inject('/api/charts')
  t.equal(page.statusCode, 400)
  t.match(page.body, 'No printer is configured yet.')
})

t.test('a printer that has not reported yet: empty panels on the page, an error in a good answer', async t => {
  const name = 'off'
  const printers = [{ name, host: '127.0.0.1', serial: '00M00A270798943', accessCode: '12345678', ports: { mqtt: 1 } }]
  const { kernel, http, tool } = await bootCharts(t, { models: [], config: { printers } })
  const page = await kernel.app.inject({ url: '/api/charts', query: { printer: name } })
  t.equal(page.statusCode, 200)
  t.equal(page.body.match(/>no data</g)?.length, 2)
  const { status, body } = await http('GET', '/api/charts_panels', { printer: name })
  t.equal(status, 200)
  t.equal(body.error, `Printer '${name}' not connected`)
  const answer = await tool('render_charts_panels', { name })
  t.ok(answer.failed)
  t.equal(answer.value.error, `Printer '${name}' not connected`)
})

/** Answers of any length are sent as they are. */
const PLAIN = { plugins: { mcp: { envelope: false } } }

t.test('route and tool give the same panels', async t => {
  const { http, tool, name } = await bootCharts(t, { dependencies: { now: () => 1_767_225_600_000 }, config: PLAIN })
  const { body } = await http('GET', '/api/charts_panels', { printer: name })
  const { value, failed } = await tool('render_charts_panels', { name })
  t.notOk(failed)
  t.same(Object.keys(value).sort(), ['panels', 'ts'])
  t.same(value.panels[4], body.panels[4])
  const missing = await tool('render_charts_panels', { name: 'nope' })
  t.ok(missing.failed)
  t.equal(missing.value.error, "Printer 'nope' not connected")
})

t.test('an agent reads the panels in parts that fit', async t => {
  const { http, tool, name } = await bootCharts(t, { dependencies: { now: () => 1_767_225_600_000 } })
  const { body } = await http('GET', '/api/charts_panels', { printer: name })
  const panels: string[] = []
  let cursor: string | undefined
  let parts = 0
  do {
    const { value, text } = await tool('render_charts_panels', { name, ...(cursor !== undefined && { cursor }) })
    t.ok(text.length + JSON.stringify(value).length <= 25_000, `${text.length} characters`)
    t.notOk(value.compressed)
    panels.push(...value.panels)
    cursor = value.next_cursor
    parts++
  } while (cursor !== undefined)
  t.ok(parts > 1)
  t.same(panels.length, body.panels.length)
  t.same(panels[4], body.panels[4])
  for (const wrong of ['6', 'x', '-1']) {
    t.match(await tool('render_charts_panels', { name, cursor: wrong }), { failed: true, value: { error: /next_cursor/ } })
  }
})

t.test('render_charts_html: one document that needs nothing else', async t => {
  const { tool, name } = await bootCharts(t, { config: PLAIN })
  const { text, failed } = await tool('render_charts_html', { name })
  t.notOk(failed)
  t.match(text, /^<!doctype html>/)
  t.equal(text.match(/<svg [^>]*role="img"/g)?.length, 6)
  t.notMatch(text, /<script|src=|<link rel="stylesheet"/)
  t.match(text, "default-src 'none'")
  t.ok(text.length < 50_000, `${text.length} characters`)
  const absent = await tool('render_charts_html', { name: 'nope' })
  t.notOk(absent.failed)
  t.match(absent.text, "Printer 'nope' not connected")
})

t.test('panels are drawn once while nothing changes', async t => {
  let now = Date.now()
  let drawn = 0
  const count = () => {
    drawn++
    return '<svg xmlns="http://www.w3.org/2000/svg"/>'
  }
  const { http, kernel, printer, name } = await bootCharts(t, {
    dependencies: { now: () => now },
    charts: [{ id: 'counter', title: 'Counter', render: count }]
  })
  await printer.stop()
  const first = await http('GET', '/api/charts_panels', { printer: name })
  const second = await http('GET', '/api/charts_panels', { printer: name })
  t.equal(second.text, first.text)
  t.equal(drawn, 1)
  const session = kernel.printers.get(name)
  t.equal(session && kernel.services.charts.render(session), session && kernel.services.charts.render(session))
  now += 1000
  await http('GET', '/api/charts_panels', { printer: name })
  t.equal(drawn, 2, 'the axis of time moves on')
})

t.test('the description of the API has both routes', async t => {
  const { http } = await bootCharts(t)
  const { body } = await http('GET', '/api/openapi.json')
  t.ok(body.paths['/api/charts'].get.responses['200'].content['text/html'])
  t.ok(body.paths['/api/charts_panels'])
  t.notOk(Object.keys(body.paths).some(path => path.startsWith('/api/charts/')), 'not the parts of the page')
})

t.test('the printer\'s words stay words', async t => {
  const name = '<img src=x onerror=alert(1)>&"'.slice(0, 64)
  const { kernel, tool, printer } = await bootCharts(t, { models: [{ model: 'X1C', name }], config: PLAIN })
  printer.startJob({ name: '</svg><script>alert(1)</script>' })
  const { body } = await kernel.app.inject({ url: '/api/charts', query: { printer: name } })
  t.notMatch(body, /<img|<script>|alert\(1\)<\/script>/)
  t.notMatch((await tool('render_charts_html', { name })).text, /<img|<script/)
})
