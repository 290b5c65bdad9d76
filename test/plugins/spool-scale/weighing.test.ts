import t from 'tap'
import broker from '../../../plugins/broker/index.js'
import spoolScale from '../../../plugins/spool-scale/index.js'
import spools from '../../../plugins/spools/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { listen, NO_MOSQUITTO, startMosquitto } from '../../helpers/mosquitto.js'
import { recordedWith } from '../history/preset.js'

type Body = any
const preset = recordedWith(spools, spoolScale, broker)

t.test('a scale weighs the spool that it names, or the one that somebody has chosen', { skip: NO_MOSQUITTO }, async t => {
  const mosquitto = await startMosquitto(t)
  const peer = await listen(t, mosquitto.url)
  await peer.say('prnd/scale/old', '{"grams": 900, "spool": "x", "stable": true}', true)
  const { http, kernel } = await boot(t, {
    preset, models: [], config: { plugins: { broker: { url: mosquitto.url }, 'spool-scale': { topic: 'prnd/scale' } } }
  })
  const state = async (): Promise<Body> => (await http('GET', '/api/spool_scale')).body
  const outcome = async (): Promise<Body> => (await state()).scales.find(({ name }: Body) => name === 'bench')?.outcome
  const add = async (spool: Record<string, unknown>): Promise<string> => (await http('POST', '/api/spools', spool)).body.id as string
  const red = await add({ name: 'Red', material: 'PLA', net_g: 1000, tag: '04AABB', empty_g: 200 })
  const blue = await add({ name: 'Blue', material: 'PLA', net_g: 1000, empty_g: 250 })
  const unknown = await add({ name: 'Unknown', material: 'PLA', net_g: 1000 })
  await eventually(() => kernel.services.broker.isConnected)
  t.match(await state(), { topic: 'prnd/scale', connected: true, scales: [], chosen: null }, 'what was retained is not heard')

  await peer.say('prnd/scale/bench', '{"grams": 1150, "tag": "04aabb", "stable": true}')
  await eventually(async () => (await outcome())?.spool === red)
  t.match(await outcome(), { left_g: 950, error_g: 50, problem: '' })
  t.match((await http('GET', `/api/spools/${red}`)).body.history[0], { kind: 'weighed', by: 'bench', weighing: { thought_g: 1000, left_g: 950 } })
  await peer.say('prnd/scale/bench', '{"grams": 1151, "tag": "04aabb", "stable": true}')

  await peer.say('prnd/scale/bench', '{"grams": 0}')
  await peer.say('prnd/scale/bench', '{"grams": 1000, "stable": true}')
  await eventually(async () => (await state()).scales[0].grams === 1000)
  t.match(await outcome(), { spool: red }, 'nobody said what this is')
  t.equal((await http('POST', '/api/spool_scale/next', { spool: blue })).status, 200)
  await eventually(async () => (await outcome()).spool === blue)
  t.match(await outcome(), { left_g: 750, problem: '' })
  t.match(await state(), { chosen: null })

  await peer.say('prnd/scale/bench', '0')
  await http('POST', '/api/spool_scale/next', { spool: unknown, scale: 'bench' })
  t.match(await state(), { chosen: { spool: unknown, scale: 'bench' } })
  await peer.say('prnd/scale/bench', '{"grams": 700, "stable": true}')
  await eventually(async () => (await outcome()).spool === unknown)
  t.match(await outcome(), { left_g: null, problem: /empty/ })
  await peer.say('prnd/scale/bench', '{"grams": 640, "spool": "gone", "stable": true}')
  await eventually(async () => /no spool has the id gone/.test((await outcome()).problem))
  await peer.say('prnd/scale/bench', '-5')
  await eventually(async () => /negative/.test((await outcome()).problem))

  const { history } = (await http('GET', `/api/spools/${red}`)).body as Body
  t.equal(history.filter(({ kind }: Body) => kind === 'weighed').length, 1, 'one spool on the scale is weighed once')
  for (let n = 0; n < 40; n++) await peer.say(`prnd/scale/s${n}`, '5')
  await peer.say('prnd/scale/bench', '7')
  await eventually(async () => (await state()).scales.some(({ grams }: Body) => grams === 7))
  t.equal((await state()).scales.length, 20, 'no more scales than a household has')
  t.match(await http('POST', '/api/spool_scale/next', { spool: 'none' }), { status: 404, body: { error: 'no_such_spool' } })
})

t.test('without a topic no scale is heard', async t => {
  const { http } = await boot(t, { preset, models: [] })
  t.match((await http('GET', '/api/spool_scale')).body, { topic: '', connected: false, scales: [] })
})
