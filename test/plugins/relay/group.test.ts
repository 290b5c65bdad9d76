import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t, { type Test } from 'tap'
import type { VirtualPrinter } from '../../../plugins/emulator/index.js'
import { readSlicerPrint } from '../../../plugins/relay/slicer-print.js'
import { spoolsOf } from '../../../plugins/relay/group/spools.js'
import { detect } from '../printer-servers/detect-client.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { freePort } from '../../helpers/ports.js'
import { clear, FAST, fastDaemon, queueOf, sent, sliced, until } from '../queue/helpers.js'
import { connectClient, fetched, openCard, READ, relay } from './relay.js'
import { testFolder } from '../../helpers/folder.js'

/** A service whose group, of two printers of one model, is all that it relays. */
async function start (t: Test) {
  const [mqtt, ftps, detectPort, announcements] = [await freePort(), await freePort(), await freePort(), createSocket('udp4')]
  announcements.bind(0, '127.0.0.1')
  await once(announcements, 'listening')
  t.teardown(() => new Promise<void>(resolve => announcements.close(resolve)))
  const told: string[] = []
  announcements.on('message', bytes => told.push(bytes.toString()))
  const models = [
    { model: 'X1C', name: 'left', ...FAST }, { model: 'X1C', name: 'right', ams: [], ...FAST }, { model: 'P1S', name: 'small', ...FAST }
  ] as const
  const booted = await relay(t, {
    preset: fastDaemon,
    models,
    relay: {
      announce: true,
      announceTo: { to: '127.0.0.1', port: announcements.address().port },
      printers: [],
      groups: [{ group: 'Any X1C', model: 'x1c', printers: ['left', 'right'], ports: { mqtt, ftps, detect: detectPort } }]
    }
  })
  await eventually(() => told.length > 0)
  const [, serial = ''] = /USN: (\S+)/.exec(told[0] ?? '') ?? []
  const printers = new Map(booted.printers.map(printer => [printer.name, printer]))
  const of = (name: string) => printers.get(name) as VirtualPrinter
  return { ...booted, serial, told, of, detectPort, ports: { ...booted.ports, mqtt, ftps } }
}

const order = (more: object = {}) => ({
  print: {
    command: 'project_file',
    sequence_id: '7',
    param: 'Metadata/plate_1.gcode',
    url: 'ftp:///cache/part%201.gcode.3mf',
    subtask_name: 'part 1',
    bed_type: 'textured_plate',
    bed_leveling: true,
    use_ams: true,
    ams_mapping: [3],
    ...more
  }
})

t.test('a group of printers, as a slicer sees it', async t => {
  const service = await start(t)
  const client = await connectClient(t, service)
  const answerTo = (command: string, test: (body: Record<string, any>) => boolean = () => true) =>
    client.answer('print', body => body.command === command && test(body))

  await t.test('is announced, and looks like a printer of its model that does nothing', async t => {
    t.match(service.told[0], /DevModel\.bambu\.com: BL-P001/)
    t.match(service.told[0], /DevName\.bambu\.com: Any X1C/)
    t.match((await detect({ port: service.detectPort })).replies, [{ id: service.serial, model: 'BL-P001', name: 'Any X1C', bind: 'free' }])
    const state = await answerTo('push_status')
    const real = service.of('left').report()
    t.same(Object.keys(state).filter(name => !(name in real) && !['command', 'msg', 'sequence_id'].includes(name)), [])
    t.same(Object.keys(real).filter(name => !(name in state)), [])
    t.equal(state.gcode_state, 'IDLE')
    const spools = (report: any): string[] => report.ams.ams.flatMap(({ tray }: any) => tray)
      .filter((tray: any) => tray.tray_type).map((tray: any) => `${tray.tray_type} ${tray.tray_color}`)
    t.same(new Set(spools(state)), new Set(spools(real)), 'with the spools of its printers')
    await client.ask({ info: { command: 'get_version', sequence_id: '3' } })
    const { module } = await client.answer('info', body => body.sequence_id === '3')
    t.match(module, [{ name: 'ota', sn: service.serial }])
    await client.ask({ pushing: { command: 'pushall', sequence_id: '4' } })
    await answerTo('push_status', body => body.sequence_id === '4')
  })

  await t.test('takes sliced files for the library, and nothing else', async t => {
    const card = await openCard(t, service)
    const content = await sliced()
    await card.uploadFrom(Readable.from([Buffer.from('test')]), '/verify_job')
    await card.uploadFrom(Readable.from([content]), '/cache/part 1.gcode.3mf')
    t.match(await card.list('/cache'), [{ name: 'part 1.gcode.3mf', size: content.length }])
    t.equal((await fetched(card, '/cache/part 1.gcode.3mf')).equals(content), true)
    await t.rejects(card.uploadFrom(Readable.from([Buffer.from('PK no archive')]), '/cache/broken.gcode.3mf'), { code: /^5|^4/ })
    await t.rejects((await openCard(t, service, READ)).uploadFrom(Readable.from([content]), '/cache/mine.gcode.3mf'), { code: 553 })
    await t.rejects(card.uploadFrom(Readable.from([Buffer.alloc(2 * 1024 ** 2)]), '/film.mp4'), { code: 552 })
    const { files } = (await service.http('GET', '/api/queue/files')).body
    t.match(files, [{ name: 'part 1.gcode.3mf', added_by: 'relay (Slicer)' }])
    t.equal(files.length, 1)
  })

  await t.test('prints where a plate is clear', async t => {
    await client.ask(order())
    t.match(await answerTo('project_file'), { sequence_id: '7', result: 'success', param: 'Metadata/plate_1.gcode' })
    const { jobs: [job] } = await queueOf(service)
    t.match(job, { name: 'part 1', created_by: 'relay (Slicer)', wanted_printers: ['left', 'right'] })
    t.same(service.printers.flatMap(sent), [], 'nothing starts on a plate that nobody has cleared')
    await clear(service, 'left')
    await until(service, job?.id ?? '', ({ state }) => state === 'done')
    t.match(sent(service.of('left')).map(({ body }) => body), [{ param: 'Metadata/plate_1.gcode', bed_type: 'textured_plate' }])
    t.same([...sent(service.of('right')), ...sent(service.of('small'))], [])
  })

  await t.test('refuses with reasons what it cannot do', async t => {
    const reasons = async (request: object, id: string) => {
      await client.ask(request)
      return (await client.answer('print', body => body.sequence_id === id && body.result === 'failed')).reason
    }
    t.match(await reasons(order({ sequence_id: '20', url: 'ftp:///never-sent.gcode.3mf' }), '20'), /never-sent.*send it again/)
    const [file] = (await service.http('GET', '/api/queue/files')).body.files
    t.match(await reasons(order({ sequence_id: '26', url: `ftp:///${file.name}` }), '26'), /send it again/,
      'of a name in the library there may be several')
    t.match(await reasons(order({ sequence_id: '21', param: 'Metadata/plate_9.gcode' }), '21'), /no sliced plate 9/)
    t.match(await reasons(order({ sequence_id: '22', param: '../../etc/passwd' }), '22'), /names no file and plate/)
    t.match(await reasons({ print: { command: 'stop', sequence_id: '23' } }, '23'), /only takes prints/)
    t.match(await reasons({ print: { command: 'gcode_line', param: 'M104 S300', sequence_id: '24' } }, '24'), /only takes prints/)
    const viewer = await connectClient(t, service, READ)
    await viewer.ask(order({ sequence_id: '25' }))
    t.match(await viewer.answer('print', body => body.sequence_id === '25'), { result: 'failed', reason: /reading only/ })
    t.equal((await queueOf(service)).jobs.length, 0)
    const { printers: [listed] } = (await service.http('GET', '/api/relay')).body
    t.match(listed, { printer: 'Any X1C', is_group: true, problem: '' })
    t.same(listed.clients.filter((name: string) => name.endsWith('(mqtt)')), ['Slicer (mqtt)', 'Viewer (mqtt)'])
  })

  await t.test('tells of a spool that was put into one of its printers', async t => {
    const [unit] = (service.of('left').report() as any).ams.ams
    const tray = { ...unit.tray[0], tray_type: 'PA-CF', tray_color: '123456FF', tray_info_idx: 'GFN03' }
    service.of('left').patch({ ams: { ams: [{ ...unit, tray: [tray, ...unit.tray.slice(1)] }] } })
    const told = await client.answer('print', ({ ams }) => JSON.stringify(ams ?? {}).includes('123456FF'))
    t.equal(told.gcode_state, 'IDLE')
  })
})

t.test('print commands are read in all the ways that slicers write them', t => {
  const read = (more: object) => readSlicerPrint({
    section: 'print', command: 'project_file', param: 'Metadata/plate_12.gcode', url: 'ftp:///a.gcode.3mf', ...more
  })
  for (const url of ['ftp:///a.gcode.3mf', 'ftp://a.gcode.3mf', 'file:///sdcard/a.gcode.3mf', 'file:///mnt/sdcard/a.gcode.3mf',
    'file:///media/usb0/a.gcode.3mf', 'file:///a.gcode.3mf', '/a.gcode.3mf']) {
    t.match(read({ url }), { path: '/a.gcode.3mf', plate: 12 }, url)
  }
  t.match(read({ url: '', file: 'cache/a.gcode.3mf' }), { path: '/cache/a.gcode.3mf' })
  t.same(read({ subtask_name: ' vase ', bed_type: 'hot_plate', bed_levelling: true, flow_cali: 1, timelapse: 'yes' })?.options,
    { job_name: 'vase', bed_type: 'hot_plate', bed_leveling: true, flow_calibration: true, timelapse: false })
  t.same(read({ bed_type: 'supertack_plate', subtask_name: 7 })?.options,
    { bed_leveling: false, flow_calibration: false, timelapse: false })
  for (const wrong of [{ param: 'Metadata/plate_0.gcode' }, { param: 7 }, { url: 'ftp:///' }, { url: null }]) {
    t.equal(read(wrong), undefined, JSON.stringify(wrong))
  }
  t.end()
})

t.test('a group whose port is taken is not offered, and says why', async t => {
  const taken = createServer().listen(0, '127.0.0.1')
  t.teardown(() => taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const { kernel, http } = await boot(t, {
    models: [],
    config: {
      plugins: {
        relay: {
          bind: '127.0.0.1',
          announce: false,
          groups: [{ group: 'g', model: 'A1', ports: { mqtt: port, ftps: await freePort() } }],
          clients: [{ name: 'Slicer', code: { file: join(testFolder(t, { code: 'a-code-of-8' }), 'code') }, access: 'full' }]
        }
      }
    }
  })
  t.match((await http('GET', '/api/relay')).body.printers, [{ printer: 'g', is_group: true, ports: {}, problem: /EADDRINUSE/ }])
  t.notOk(kernel.signal.aborted)
})

t.test('the spools of a group are those of its printers, each kind once, whatever their reports hold', t => {
  const white = { id: '0', tray_info_idx: 'GFA00', tray_type: 'PLA', tray_color: 'FFFFFFFF', remain: 40, tag_uid: 'A1' }
  const raw = (...tray: unknown[]) => ({ raw: { ams: { ams: [{ id: '0', tray }] } } })
  const black = { ...white, tray_color: '000000FF' }
  t.same(spoolsOf([raw(white, { id: '1' }, black), raw({ ...white, remain: 90, tag_uid: 'B2' })]), [black, white]
    .map(({ remain: _, tag_uid: __, ...kind }) => kind))
  const many = Array.from({ length: 40 }, (_, at) => ({ ...white, tray_color: `${String(at).padStart(6, '0')}FF` }))
  t.equal(spoolsOf([raw(...many)]).length, 16, 'as many as slicers know slots')
  for (const odd of [{}, { ams: null }, { ams: { ams: 7 } }, { ams: { ams: [null, { tray: 'x' }, { tray: [null, 7, { tray_type: 3 }] }] } }]) {
    t.same(spoolsOf([{ raw: odd }]), [])
  }
  t.end()
})

t.test('a group of a model that does not exist is a mistake in the configuration', async t => {
  await t.rejects(relay(t, { relay: { printers: [], groups: [{ group: 'g', model: 'Z9' }] } }), /model of the group 'g'/)
})
