import t from 'tap'
import { eventually } from '../../helpers/eventually.js'
import { testFolder } from '../../helpers/folder.js'
import { add, clear, entryOf, FAST, jobOf, queueOf, sent, startPrinters, until, upload } from '../queue/helpers.js'
import { accepted, FakeBroker, realPlate, start, statusOf } from './helpers.js'

t.test('the service ends between any two steps, and nothing starts on a plate that is not clear', async t => {
  const [printer] = await startPrinters(t, [{ model: 'X1C', name: 'x1c', ...FAST }])
  const dataDir = testFolder(t)
  const broker = new FakeBroker()
  const config = { dataDir, printers: [entryOf(printer!)] }
  // The sensor is silent until the end: on a busy machine a shorter limit would, rightly, leave the plate to a person.
  const begin = (plate = {}) => start(t, { broker, plate: { sensorMs: 120_000, ...plate } }, { models: [], config })
  let booted = await begin()
  await accepted(booted)
  await upload(booted, realPlate(40))
  const { id } = await add(booted, { file: 'cube.gcode.3mf', copies: 3 })
  await clear(booted, 'x1c')
  await until(booted, id, ({ state }) => state === 'printing')
  t.match(await statusOf(booted), { step: 'printing' })
  await booted.close() // while it prints
  booted = await begin({ tickMs: 60_000, refreshMs: 60_000 }) // so slow that nothing is checked
  await until(booted, id, ({ finished }) => finished === 1)
  await eventually(async () => (await queueOf(booted)).printers[0]?.plate === 'used')
  await eventually(async () => ['cooling', 'checking'].includes((await statusOf(booted)).step))
  await booted.close() // before the check
  t.equal(sent(printer!).length, 1)
  booted = await begin()
  await eventually(() => broker.listeners === 1)
  t.match((await queueOf(booted)).printers[0], { plate: 'used', reason: 'its plate is being checked' })
  await booted.close() // during the check
  t.equal(broker.listeners, 0)
  t.equal(sent(printer!).length, 1)
  broker.answer = { text: 'empty' }
  booted = await begin()
  t.match(await until(booted, id, ({ state }) => state === 'done').catch(async () => await statusOf(booted)), { finished: 3 })
  t.equal(sent(printer!).length, 3)
  t.equal((await jobOf(booted, id)).runs.length, 3)
})
