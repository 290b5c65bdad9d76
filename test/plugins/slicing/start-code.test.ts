import t from 'tap'
import { MODELS } from '../../../core/printer/models.data.js'
import { filamentById } from '../../../plugins/filament/catalogue.js'
import { SlicingService } from '../../../plugins/slicing/service.js'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'

t.test('a plate that waits is not sliced with a start code whose acceptance was withdrawn', async t => {
  const model = MODELS.find(({ model }) => model === 'P1S')
  const session = { name: 'p1s', model, config: { serial: '01P' }, state: undefined } as never
  let isThere = false
  let placed = 0
  const service = await SlicingService.open({
    folder: testFolder(t),
    models: { find: (id: string) => ({ id, name: 'cube.stl' }), pathOf: () => '' },
    thread: { place: async () => { placed++; throw new Error('it was placed') } },
    filaments: { byId: filamentById },
    slicers: [{ name: 'prusa-slicer', title: 'PrusaSlicer', find: async () => ({ place: '/slicer', version: '2.9' }) }],
    printers: { get: () => isThere ? session : undefined },
    library: {},
    now: () => 0,
    warn () {}
  } as never)
  t.teardown(() => service.jobs.close())
  await service.accept(session, true, 'anna')
  const job = await service.start(session, { parts: [{ model: 'm' }] }, 'anna')
  await eventually(() => service.jobs.find(job.id).state === 'running')
  await service.accept(session, false, 'anna')
  isThere = true
  await eventually(() => service.jobs.find(job.id).state === 'failed', 10_000)
  t.match(service.jobs.find(job.id).error, /start code/)
  t.equal(placed, 0)
})
