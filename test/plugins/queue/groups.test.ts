import t from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, sent, sliced, start, until, upload } from './helpers.js'

/** Hours around this one, by the clock of the machine. */
const hoursFrom = (offset: number) => {
  const at = (hours: number) => `${String((new Date().getHours() + hours + 24) % 24).padStart(2, '0')}:00`
  return { from: at(offset), to: at(offset + 2) }
}

t.test('hours that are set while the service runs hold jobs back, and let them go', async t => {
  const booted = await start(t, { config: { dataDir: testFolder(t) } })
  const { http, tool, printer } = booted
  t.match((await http('GET', '/api/queue/groups')).body, { origin: 'none', groups: [], printers: ['x1c'], may_change: true })
  const later = hoursFrom(3)
  t.match(await http('POST', '/api/queue/groups', { name: 'day', printers: ['x1c'], hours: later, spacing_s: 90 } as never), { status: 200 })
  t.match((await http('GET', '/api/queue/groups')).body, {
    origin: 'stored',
    groups: [{ name: 'day', printers: ['x1c'], hours: later, spacing_s: 90, self_clearing: false, is_open: false, is_paused: false, jobs: 0, stays: null }]
  })
  await upload(booted, sliced({ minutes: 60 }))
  await clear(booted, 'x1c')
  const { id } = await add(booted, { file: 'cube.gcode.3mf', printers: ['day'] })
  await until(booted, id, ({ printers }) => /working hours/.test(printers[0]?.reason ?? ''))
  t.equal(sent(printer).length, 0)
  t.match(await http('DELETE', '/api/queue/groups', { name: 'day' }), { status: 409, body: { error: 'queue_group_stays', reason: /open jobs/ } })
  t.match(await http('DELETE', '/api/queue/groups', { name: 'day', dry_run: true } as never), { status: 409 }, 'a dry run says so as well')
  for (const bad of [{ hours: { from: '25:00', to: '08:00' } }, { hours: { from: '08:00', to: '18:00', days: [8] } }, { spacing_s: -1 }, { printers: ['nobody'] }]) {
    t.equal((await http('PATCH', '/api/queue/groups', { name: 'day', ...bad } as never)).status, 400, JSON.stringify(bad))
  }
  t.match((await tool('change_queue_group', { name: 'day', hours: null })).text, /user_permission/)
  t.equal((await http('PATCH', '/api/queue/groups', { name: 'day', hours: hoursFrom(-1) } as never)).status, 200)
  await until(booted, id, ({ state }) => state === 'printing')
  t.match((await tool('list_queue_groups')).value, { groups: [{ name: 'day', is_open: true, stays: 'jobs' }] })
})
