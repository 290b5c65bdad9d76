import t from 'tap'
import { Writable } from 'node:stream'
import { definePlugin } from '../../../core/index.js'
import { defineChart, escapeText, frame, type ChartPanel, type ChartView } from '../../../plugins/charts/index.js'
import { defineCollection } from '../../../plugins/telemetry/index.js'
import { bootCharts } from './boot.js'
import { descOf, readSvg, texts } from './read-svg.js'

const panelsOf = async ({ http, name }: Awaited<ReturnType<typeof bootCharts>>) =>
  (await http('GET', '/api/charts_panels', { printer: name })).body.panels as string[]

t.test('a panel of collections gets the standard chart, after the built-in ones', async t => {
  const booted = await bootCharts(t, { charts: [defineChart({ id: 'warmth', title: 'Warmth', collections: ['bed', 'part_fan'] })] })
  const panels = await panelsOf(booted)
  t.equal(panels.length, 7)
  const svg = readSvg(panels[6] ?? '')
  t.equal(texts(svg)[0], 'Warmth')
  t.match(texts(svg)[1], /^Bed [\d.]+ °C$/)
  t.match(texts(svg)[2], /^Part fan [\d.]+ %$/, 'each with its own unit')
  const page = await booted.kernel.app.inject({ url: '/api/charts', query: { printer: booted.name } })
  t.match(page.body, '>Warmth</h2>')
})

t.test('collections of other plugins can be drawn', async t => {
  const layers = definePlugin({
    name: 'layers',
    version: '1.0.0',
    kernel: '^2.0.0',
    contributes: { collections: [defineCollection({ name: 'layer', unit: '', read: ({ job }) => job.layer })] }
  })
  const booted = await bootCharts(t, { also: layers, charts: [{ id: 'layers', title: 'Layers', collections: ['layer'] }] })
  t.match(texts(readSvg((await panelsOf(booted))[6] ?? ''))[1], /^Layer \d/)
})

t.test('a panel that draws itself is given all there is', async t => {
  let seen: ChartView | undefined
  const panel = defineChart({
    id: 'own',
    title: 'Own',
    render (view) {
      seen = view
      return frame({ id: 'own', title: 'Own', description: escapeText(view.printer), body: '' })
    }
  })
  const booted = await bootCharts(t, { charts: [panel] })
  t.equal(descOf(readSvg((await panelsOf(booted))[6] ?? '')), booted.name)
  t.equal(seen?.printer, booted.name)
  t.equal(seen?.model.model, 'X1C')
  t.equal(seen?.state, booted.kernel.printers.get(booted.name)?.state)
  t.same(seen?.data, booted.kernel.services.telemetry.outline(booted.name))
  t.ok(Object.isFrozen(seen))
})

t.test('a panel that throws is logged once, by name, and shown as unavailable', async t => {
  const lines: string[] = []
  const logEcho = new Writable({
    write (chunk, _encoding, done) {
      lines.push(...String(chunk).split('\n').filter(line => /chart '\w+' of plugin 'outside' failed/.test(line)))
      done()
    }
  })
  let now = Date.now()
  const bad = { id: 'bad', title: 'Bad', render: () => { throw new Error('no ink') } }
  const worse = { id: 'worse', title: 'Worse', render: () => undefined as unknown as string }
  const booted = await bootCharts(t, { charts: [bad, worse], dependencies: { logEcho, now: () => now } })
  for (let time = 0; time < 3; time++) {
    const panels = await panelsOf(booted)
    t.equal(panels.length, 8, 'the others are there')
    t.same(panels.slice(6).map(text => texts(readSvg(text))[1]), ['unavailable', 'unavailable'])
    now += 1000
  }
  t.equal(lines.length, 2)
  t.match(JSON.parse(lines[0] ?? ''), { panel: 'bad', plugin: 'outside', err: { message: 'no ink' } })
  t.match(JSON.parse(lines[1] ?? ''), { panel: 'worse', err: { message: /<svg>/ } })
})

const refused: Readonly<Record<string, { panel: ChartPanel, why: RegExp }>> = {
  'an unknown collection': {
    panel: { id: 'x', title: 'X', collections: ['bed', 'chambre'] },
    why: /Chart 'x' of plugin 'outside': nothing records the collection 'chambre'; did you mean 'chamber'\?/
  },
  'no collection at all': { panel: { id: 'x', title: 'X', collections: [] }, why: /outside.*needs collections or render/ },
  'more lines than can be told apart': {
    panel: { id: 'x', title: 'X', collections: ['bed', 'tool', 'chamber', 'part_fan', 'aux_fan', 'exhaust_fan', 'tool_1'] },
    why: /outside.*more than 6/
  },
  'an id that is none': { panel: { id: 'X y', title: 'X', collections: ['bed'] }, why: /outside.*lower-case/ },
  'an empty title': { panel: { id: 'x', title: ' ', collections: ['bed'] }, why: /outside.*title/ },
  'the id of a built-in panel': {
    panel: { id: 'fans', title: 'X', collections: ['bed'] },
    why: /Chart 'fans' of plugin 'outside': plugin 'charts' has one of the same id/
  }
}

for (const [what, { panel, why }] of Object.entries(refused)) {
  t.test(`${what} stops the start and names the plugin`, async t => {
    await t.rejects(bootCharts(t, { models: [], charts: [panel] }), { message: why })
  })
}
