import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { plateOf } from '../../../presets/cli/commands/print.js'
import daemon from '../../../presets/daemon/index.js'
import { boot } from '../../helpers/boot.js'
import { eventually } from '../../helpers/eventually.js'
import { build } from '../../outside/installed.js'
import { make3mf } from '../../plugins/projects/make-3mf.js'
import { ONE_TEXT } from '../../plugins/toolpath/faulty-plates.js'
import { configured, prnd } from '../prnd.js'

t.before(build)

t.test('a file is printed, paused, resumed, stopped and followed by processes', async t => {
  const { file, folder } = await configured(t, {})
  const { kernel, printers: [one] } = await boot(t, {
    preset: daemon,
    models: [
      { model: 'P1S', name: 'one', reportEveryMs: 100, speed: 20, sdCard: { samples: true } },
      { model: 'A1', name: 'two', reportEveryMs: 200, sdCard: {} }
    ],
    listen: true,
    config: { dataDir: join(folder, 'data'), api: { host: '127.0.0.1', token: 'a long secret' }, plugins: { camera: false } },
    dependencies: { configFile: file }
  })
  const port = String(kernel.apiPort)
  const env = { PRN_PORT_POOL_START: port, PRN_PORT_POOL_END: port, PRN_API_TOKEN: 'a long secret' }
  const run = (...args: string[]) => prnd(t, [...args, '-c', file], env)
  const state = () => kernel.printers.get('one')?.state?.job.gcodeState
  const starts = () => one?.requests.filter(({ command }) => command === 'project_file') ?? []

  const sample = await one?.card.get('/desk-organiser.gcode.3mf')
  if (sample === undefined) throw new Error('the sample is not on the card')
  const path = join(folder, 'vase.gcode.3mf')
  const filaments = [{ id: 1, type: 'PLA', color: '#FFFFFF' }] as const
  const wrong = [{ id: 1, type: 'ABS', color: '#FFFFFF' }] as const
  await Promise.all([
    writeFile(path, sample),
    writeFile(join(folder, 'two.3mf'), make3mf([{ number: 1, filaments }, { number: 2, filaments }, { number: 3, sliced: false }])),
    writeFile(join(folder, 'wrong.3mf'), make3mf([{ number: 1, filaments: wrong }])),
    writeFile(join(folder, 'changed.3mf'), make3mf([{ number: 1, filaments, gcode: ONE_TEXT, md5: '0'.repeat(32) }])),
    writeFile(join(folder, 'notes.txt'), 'x')
  ])

  const text = await run('print', join(folder, 'notes.txt'), 'one')
  const gone = await run('print', join(folder, 'gone.3mf'), 'one')
  const unnamed = await run('print', path)
  const typo = await run('print', path, 'on')
  const silent = await run('print', path, 'one', '--plate', '1')
  const plates = await run('print', join(folder, 'two.3mf'), 'one', '--yes')
  const unfit = await run('print', join(folder, 'wrong.3mf'), 'one', '--yes')
  t.match(text, { code: 1, out: '', err: /'notes\.txt' is no sliced project/ })
  t.match(gone, { code: 1, err: /There is no file/ })
  t.match(unnamed, { code: 1, err: /Name a printer: one, two/ })
  t.match(typo, { code: 1, err: /did you mean 'one'/ })
  t.match(silent, { code: 1, out: /^vase\.gcode\.3mf, plate 1, /m, err: /There is no terminal to ask for confirmation: add --yes/ })
  t.match(plates, { code: 1, err: /several sliced plates: choose one of 1, 2 with --plate/ })
  t.match(unfit, { code: 1, out: /^ {2}Wrong: /m, err: /Trays for --spools: 0 PLA.*Nothing was started; the file is on the card as \/wrong\.3mf/ })
  const changed = await run('print', join(folder, 'changed.3mf'), 'one', '--yes')
  t.match(changed, { code: 1, err: /MD5.* To print all the same, add --accept-findings md5_mismatch\. Nothing was started; .* as \/changed\.3mf/ })
  t.equal(starts().length, 0, 'nothing starts without a yes, with the wrong spools, or with findings')

  const printed = await run('print', path, 'one', '--plate', '1', '--yes', '--flow')
  t.equal(printed.code, 0, printed.err)
  t.match(printed.out, /^Sending vase\.gcode\.3mf to the service: done\nSending vase\.gcode\.3mf to one: done\n/)
  t.match(printed.out, /^vase\.gcode\.3mf, plate 1, \d+ (h|min).*\d+ g\n {2}Filament 1 \(.*→ AMS/m)
  t.match(printed.out, /one: the print is started\. prnd watch one follows it\.\n$/)
  t.match(starts().at(-1)?.body, { url: /vase\.gcode\.3mf/, param: 'Metadata/plate_1.gcode', flow_cali: true, bed_leveling: true, use_ams: true })
  t.same(await one?.card.get('/vase.gcode.3mf'), sample, 'the card has the same bytes')

  await eventually(() => state() === 'RUNNING')
  t.match(await run('stop', 'one', '--yes'), { code: 0 })
  await eventually(() => state() === 'FAILED')
  const accepted = await run('print', join(folder, 'changed.3mf'), 'one', '--yes', '--accept-findings', 'md5_mismatch')
  t.match(accepted, { code: 0, out: /Careful: .*MD5[^]*one: the print is started/ }, accepted.err)
  t.match(starts().at(-1)?.body, { url: /changed\.3mf/ })

  await eventually(() => state() === 'RUNNING')
  const [busy, queued, both] = await Promise.all([
    run('print', path, 'one', '--yes'),
    run('print', path, '--queue', '--plate', '1', '--copies', '2', '--yes'),
    run('print', path, 'one', '--queue', '--external', '--yes')
  ])
  t.match(busy, { code: 1, err: /one is (printing|preparing): wait for it, name another printer, or add --queue/ })
  t.match(both, { code: 1, err: /The queue chooses the spools/ })
  t.match(queued, { code: 0, out: /to the library: done\n.*, 2 copies\nvase is in the queue: / })
  const queue = await kernel.app.inject({ url: '/api/queue', headers: { authorization: 'Bearer a long secret' } })
  t.match(queue.json(), { jobs: [{ name: 'vase', copies: 2 }] })

  t.match(await run('pause', 'one'), { code: 0, out: 'one: The print is paused.\n' })
  await eventually(() => state() === 'PAUSE') // the printer has agreed, and tells so a moment later
  t.match(await run('resume', 'one'), { code: 0, out: 'one: The print goes on.\n' })
  const watching = run('watch', 'one')
  t.match(await run('stop', 'one'), { code: 1, err: /add --yes/ }, 'nobody said yes')
  await eventually(() => state() === 'RUNNING')
  t.match(await run('stop', 'one', '--yes'), { code: 0, out: 'one: The print is stopped.\n' })
  t.match(await watching, { code: 1, out: /^one {2}Printing .*%[^]*one {2}Cancelled/ })
  t.match(await run('pause', 'one'), { code: 1, err: /\w/ }, 'what there is no job for is refused')
})

t.test('the plate is chosen, or asked for', async t => {
  const plate = (number: number, printable = true) => ({ number, printable, seconds: null, grams: null })
  t.equal(plateOf([plate(1, false), plate(2)], undefined, 'x').number, 2, 'the only one that is sliced')
  t.equal(plateOf([plate(1), plate(2)], 2, 'x').number, 2)
  t.throws(() => plateOf([plate(1), plate(2)], undefined, 'x'), { message: /choose one of 1, 2/ })
  t.throws(() => plateOf([plate(1), plate(2, false)], 2, 'x'), { message: /no sliced plate 2; it has 1/ })
  t.throws(() => plateOf([plate(1, false)], undefined, 'x'), { message: /is not sliced/ })
})
