import t from 'tap'
import { createCatalogue, type View } from '../../../plugins/homeassistant/entities/index.js'
import { componentsOf, discoveryDocument, stateDocument } from '../../../plugins/homeassistant/documents.js'
import { idOf, topicsOf } from '../../../plugins/homeassistant/topics.js'
import { boot, type Booted } from '../../helpers/boot-features.js'
import { eventually } from '../../helpers/eventually.js'
import {
  BINARY_CLASSES, CATEGORIES, DEVICE, DEVICE_DISCOVERY, isPlatform, keysOf, ORIGIN, REQUIRED, STATE_CLASSES, UNITS,
  UPDATE_CLASSES
} from './schemas.data.js'

type Component = Readonly<Record<string, unknown>> & { readonly platform: string }
interface Discovery {
  readonly device: Record<string, unknown>
  readonly origin: Record<string, unknown>
  readonly components: Record<string, Component>
}

const topics = topicsOf({ discoveryPrefix: 'homeassistant', topicPrefix: 'prnd' })
const everything = createCatalogue({
  status: topics.status, offers: () => true, watchesPrints: true, hasImage: () => true
})

const announced = (view: View, before = {}): Discovery =>
  discoveryDocument({ view, entities: everything(view), topics, version: '2.0.0', before }) as Discovery

/** The first printer, once it has also said what firmware it runs. */
async function viewOf ({ kernel, name }: Booted): Promise<View> {
  const session = kernel.printers.resolve(name)
  await eventually(() => session.state !== undefined && session.state.firmware.printer !== '')
  if (session.state === undefined) throw new Error('it has not reported')
  return { session, state: session.state }
}

const strangers = (value: object, known: readonly string[]) => Object.keys(value).filter(key => !known.includes(key))

/** What Home Assistant would complain of. */
function problemsOf (key: string, component: Component): string[] {
  const { platform, device_class: kind, unit_of_measurement: unit = null } = component
  if (!isPlatform(platform)) return [`${key}: no platform ${platform}`]
  const problems = strangers(component, keysOf(platform)).map(name => `has ${name}`)
  for (const name of REQUIRED[platform] ?? []) if (component[name] === undefined) problems.push(`lacks ${name}`)
  if (!/^[a-z][a-z0-9_]*$/.test(key)) problems.push('its key is no word')
  if (platform === 'binary_sensor' && kind !== undefined && !BINARY_CLASSES.includes(kind as string)) problems.push(`class ${kind}`)
  if (platform === 'update' && !UPDATE_CLASSES.includes(kind as string)) problems.push(`class ${kind}`)
  if (platform === 'sensor' || platform === 'number') {
    if (kind !== undefined && !UNITS[kind as string]?.includes(unit as string)) problems.push(`unit ${unit} with class ${kind}`)
    if ((kind === 'enum') !== (component.options !== undefined)) problems.push('options are for the class enum, which needs them')
    if (kind === 'enum' && component.state_class !== undefined) problems.push('enum has no state class')
  }
  const { state_class: state, entity_category: category } = component
  if (state !== undefined && !STATE_CLASSES.includes(state as string)) problems.push(`state class ${state}`)
  if (category !== undefined && !CATEGORIES.includes(category as string)) problems.push(`category ${category}`)
  if (platform === 'number' && !((component.min as number) < (component.max as number))) problems.push('no range')
  return problems.map(problem => `${key}: ${problem}`)
}

const ALL = [
  'alert', 'bed_target', 'bed_temperature', 'clear_error', 'connected', 'error', 'firmware', 'image', 'job_name',
  'layer', 'light', 'part_cooling_fan', 'pause', 'print_health', 'print_status', 'printing', 'problem', 'progress', 'remaining_time',
  'resume', 'speed', 'stage', 'started_at', 'stop', 'total_layers', 'unload', 'wifi_signal'
]
const SINGLE = ['nozzle_target', 'nozzle_temperature']
const DUAL = ['left_nozzle_target', 'left_nozzle_temperature', 'right_nozzle_target', 'right_nozzle_temperature',
  'toggle_nozzle']

const MODELS = [
  { model: 'A1', entities: [...ALL, ...SINGLE], bedC: 100, nozzleC: 300 },
  { model: 'P1S', entities: [...ALL, ...SINGLE, 'aux_fan', 'exhaust_fan'], bedC: 100, nozzleC: 300 },
  {
    model: 'X1C',
    entities: [...ALL, ...SINGLE, 'aux_fan', 'exhaust_fan', 'chamber_temperature', 'door'],
    bedC: 120,
    nozzleC: 300
  },
  {
    model: 'H2D',
    entities: [...ALL, ...DUAL, 'aux_fan', 'exhaust_fan', 'chamber_temperature', 'chamber_target', 'door',
      'enhanced_cooling_fan'],
    bedC: 120,
    nozzleC: 350
  }
] as const

for (const { model, entities, bedC, nozzleC } of MODELS) {
  t.test(`${model}: what it has is announced, and nothing else`, async t => {
    const booted = await boot(t, { models: [model] })
    const { printer } = booted
    const view = await viewOf(booted)
    const discovery = announced(view)
    const keys = Object.keys(discovery.components)
    t.same(keys.filter(key => !key.startsWith('ams_')).sort(), [...entities].sort())
    t.same(Object.entries(discovery.components).flatMap(([key, component]) => problemsOf(key, component)), [])
    t.same(strangers(discovery, DEVICE_DISCOVERY), [])
    t.same([...strangers(discovery.device, DEVICE), ...strangers(discovery.origin, ORIGIN)], [])
    const ids = Object.values(discovery.components).map(component => component.unique_id as string)
    t.equal(new Set(ids).size, ids.length, 'every id is unique')
    t.ok(ids.every(id => id.startsWith(`prnd_${printer.serial}_`)), 'and holds the serial number')
    t.notOk(JSON.stringify(discovery).includes(printer.accessCode))
    t.match(discovery.components, { bed_target: { min: 0, max: bedC } })
    const nozzle = discovery.components[model === 'H2D' ? 'left_nozzle_target' : 'nozzle_target']
    t.match(nozzle, { max: nozzleC })

    const state = stateDocument(view, everything(view))
    const shown = Object.entries(discovery.components)
      .flatMap(([key, { value_template: template, state_value_template: other }]) => template ?? other ? [key] : [])
    t.same(Object.keys(state).sort(), shown.sort(), 'the state document has what the templates read')
    t.equal(state.print_status, 'idle')
    t.equal(state.speed, 'standard')
    t.type(state.bed_temperature, 'number')
  })
}

t.test('every unit of an AMS has its sensors and slots', async t => {
  const view = await viewOf(await boot(t, { models: [{ model: 'X1C', ams: ['AMS', 'AMS_HT'] }] }))
  const { components } = announced(view)
  const slots = Object.keys(components).filter(key => /^ams_\d+_slot_\d+$/.test(key))
  t.same(slots, ['ams_0_slot_1', 'ams_0_slot_2', 'ams_0_slot_3', 'ams_0_slot_4', 'ams_128_slot_1'])
  t.match(components, { ams_0_slot_4: { name: 'AMS A · slot 4' }, ams_128_drying: { name: 'AMS HT A drying' } })
  t.equal(components.ams_0_drying, undefined, 'the first kind cannot dry')

  const gone = announced(view, { ...componentsOf(everything(view)), ams_1_slot_1: 'sensor' })
  t.same(gone.components.ams_1_slot_1, { platform: 'sensor' }, 'what is gone is named by its platform alone, and so removed')
  t.ok(gone.components.ams_0_slot_1?.unique_id, 'what is there is announced in full')
})

t.test('what no plugin serves is not announced', async t => {
  const view = await viewOf(await boot(t, { models: ['A1'] }))
  const catalogue = createCatalogue({
    status: topics.status, offers: operation => !operation.startsWith('climate.'), watchesPrints: false, hasImage: undefined
  })
  const platforms = new Set(catalogue(view).map(({ platform }) => platform))
  t.same([...platforms].sort(), ['binary_sensor', 'button', 'event', 'select', 'sensor', 'update'])
})

t.test('ids and topics hold only what may stand in them', async t => {
  t.equal(idOf('01P00A/+#1 2'), '01P00A---1-2')
  const { of, target } = topicsOf({ discoveryPrefix: 'ha/x', topicPrefix: 'home/prnd' })
  t.equal(of('A').discovery, 'ha/x/device/prnd_A/config')
  t.same(target(of('A').command('light')), { id: 'A', entity: 'light' })
  for (const topic of ['home/prnd/A/light', 'home/prnd/A/light/set/more', 'other/prnd/A/light/set', 'home/prnd']) {
    t.equal(target(topic), undefined, topic)
  }
})
