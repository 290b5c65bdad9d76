import t from 'tap'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { fleetTopic } from '../../../plugins/overview/topic.js'

const MODELS = [
  { model: 'P1S', name: 'p1s', reportEveryMs: 200, speed: 20, sdCard: { samples: true } },
  { model: 'H2D', name: 'h2d', reportEveryMs: 200 }
] as const
const START = {
  printer: 'p1s', filename: '/desk-organiser.gcode.3mf', platenum: 1, plate: 'auto', use_ams: true, accept_mismatch: true
}

t.test('all printers in a few words, and news only when something of them changed', async t => {
  const { kernel, http, printers: [p1s, h2d] } = await boot(t, { models: MODELS })
  const read = async () => (await http('GET', '/api/fleet')).body
  const summary = async (wanted: string) =>
    (await read()).printers.find(({ name }: { name: string }) => name === wanted)
  t.match(await read(), { counts: { total: 2, needs_person: 0, offline: 0, idle: 2 }, next_free_at: null })
  t.match(await summary('h2d'),
    { model: 'H2D', condition: 'idle', job: null, problem: null, has_light: true, video: true })

  const news: string[] = []
  const undo = fleetTopic.watch(kernel, printer => { news.push(printer) })
  t.teardown(undo)
  t.equal((await http('POST', '/api/print_3mf', START)).status, 200)
  await eventually(async () => (await summary('p1s')).condition === 'printing')
  t.match(await summary('p1s'), { job: { name: /desk-organiser/, ends_at: /Z$/ }, needs_person: false })
  t.match(await read(), { counts: { printing: 1 }, next_free_at: /Z$/ })
  t.ok(news.includes('p1s'))

  const tag = async (tags: unknown) => await http('PATCH', '/api/fleet/tags', { printer: 'h2d', tags } as never)
  t.match(await tag(['left hall', 'PETG', 'PETG']), { status: 200, body: { printer: 'h2d', tags: ['left hall', 'PETG'] } })
  await eventually(() => news.at(-1) === 'h2d')
  for (const wrong of [['a,b'], [''], [' x'], ['x'.repeat(41)], Array.from({ length: 21 }, (_, at) => `t${at}`), 7]) {
    t.match(await tag(wrong), { status: 400 }, JSON.stringify(wrong).slice(0, 30))
  }
  t.equal((await http('PATCH', '/api/rename_printer', { printer: 'h2d', new_name: 'h2d' })).status, 200)
  t.same((await summary('h2d')).tags, ['left hall', 'PETG'])

  const before = news.filter(name => name === 'h2d').length
  const state = () => kernel.printers.get('h2d')?.state
  for (const degrees of [31, 32, 33]) {
    h2d?.patch({ bed_temper: degrees })
    await eventually(() => state()?.heat.bed.actual === degrees)
  }
  t.equal(news.filter(name => name === 'h2d').length, before, 'a temperature is no news')

  h2d?.patch({ print_error: 0x03008001 })
  await eventually(async () => (await summary('h2d')).needs_person)
  t.equal((await summary('h2d')).condition, 'idle', 'a warning is no error')
  h2d?.patch({ print_error: 0x03004001 })
  await eventually(async () => (await summary('h2d')).condition === 'error')
  t.match(await summary('h2d'), { needs_person: true, problem: /\w/ })
  t.equal((await read()).printers[0].name, 'h2d', 'who needs a person comes first')
  t.match(fleetTopic.current?.(kernel, 'h2d'), { name: 'h2d', condition: 'error' })

  t.equal((await http('POST', '/api/stop_printing', { printer: 'p1s' })).status, 200)
  await eventually(async () => (await summary('p1s')).condition === 'cancelled')
  await p1s?.stop()
  await eventually(async () => ['offline', 'stale'].includes((await summary('p1s')).condition))
  t.match(await summary('p1s'), { since: /Z$/, job: { ends_at: null } })
})

t.test('a printer that gives nothing away but its name', async t => {
  const { http } = await boot(t, { models: [], config: { printers: [] } })
  t.same((await http('GET', '/api/fleet')).body,
    {
      printers: [],
      counts: { total: 0, printing: 0, needs_person: 0, offline: 0, idle: 0, free: 0 },
      next_free_at: null
    })
})
