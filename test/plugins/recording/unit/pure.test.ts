import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import type { Fault, Job, PrinterState } from '../../../../core/index.js'
import type { Alert } from '../../../../plugins/alerts/index.js'
import { fpsOf } from '../../../../plugins/recording/clip-writer.js'
import { requiresEvidence, createUnalertedErrors, markOf, unalertedMark } from '../../../../plugins/recording/evidence.js'
import { mergePages, pageOf } from '../../../../plugins/recording/recording-page.js'
import { openPictureFolder } from '../../../../plugins/recording/picture-folder.js'
import { openSettings } from '../../../../plugins/recording/settings.js'
import { hasEnded, isDue, jobKey } from '../../../../plugins/recording/timelapse/job-progress.js'
import { shrink } from '../../../../plugins/recording/timelapse/shrink.js'
import { downloadName } from '../../../../plugins/recording/video-route.js'
import { testFolder } from '../../../helpers/folder.js'
import { picture } from '../../camera/helpers/pictures.js'
import { sample } from '../helpers.js'

const alert = (type: string, payload = {}): Alert =>
  ({ type, printer: 'p1s', timestamp: '2026-01-02T03:04:05+00:00', severity: 'high', payload })
const withFaults = (...faults: Partial<Fault>[]) => ({ errors: { printError: 0, faults } }) as unknown as PrinterState

const entry = (code: string, critical = true): Partial<Fault> => ({ type: 'device_hms', code, critical })

t.test('serious entries that raise no alert are found when they are new', async t => {
  const errors = createUnalertedErrors()
  const minute = 60_000
  t.equal(errors.update('a', withFaults(entry('OLD')), 0), false, 'what is there at first is not new')
  t.equal(errors.update('a', withFaults(entry('OLD'), entry('SLIGHT', false)), 1), false)
  t.equal(errors.update('a', withFaults(entry('OLD'), entry('NEW')), 2), true)
  t.equal(errors.update('a', withFaults(entry('NEW')), 3), false)
  t.equal(errors.update('a', withFaults(), 4), false)
  t.equal(errors.update('a', withFaults(entry('NEW')), 9 * minute), false, 'the same trouble')
  t.equal(errors.update('a', withFaults(), 9 * minute), false)
  t.equal(errors.update('a', withFaults(entry('NEW')), 11 * minute), true)
  const error: Partial<Fault> = { type: 'device_error', code: 'E', critical: true }
  t.equal(errors.update('a', withFaults(error, entry('ACTIVE')), 12 * minute), false, 'that one raises an alert')
  t.equal(errors.update('a', withFaults(entry('ACTIVE')), 13 * minute), false, 'and is known when its error is cleared')
  t.equal(errors.update('b', withFaults(), 0), false)
  t.equal(errors.update('b', withFaults(entry('NEW')), 1), true, 'printers are told apart')
  errors.forget('b')
  t.equal(errors.update('b', withFaults(entry('OTHER')), 2), false)
})

t.test('a printer that keeps inventing codes is not recorded all the time', async t => {
  const errors = createUnalertedErrors()
  errors.update('a', withFaults(), 0)
  let found = 0
  for (let code = 0; code < 100; code++) if (errors.update('a', withFaults(entry(String(code))), code)) found++
  t.equal(found, 32)
})

t.test('evidence without an alert is listed in the form of one', async t => {
  t.same(unalertedMark(Date.UTC(2026, 0, 2, 3, 4, 5, 678)),
    { id: 'hms_error-20260102T030405Z', type: 'hms_error', timestamp: '2026-01-02T03:04:05+00:00' })
})

t.test('which alerts ask for evidence', async t => {
  t.ok(requiresEvidence(alert('job_failed'), undefined))
  t.ok(requiresEvidence(alert('health_escalated'), undefined))
  for (const type of ['job_finished', 'health_recovered', 'hms_error_cleared']) t.notOk(requiresEvidence(alert(type), undefined), type)
  const errors = alert('hms_error_new', { errors: [{ code: 'A' }, { code: 'B' }] })
  t.ok(requiresEvidence(errors, withFaults({ code: 'A', critical: false }, { code: 'B', critical: true })))
  t.notOk(requiresEvidence(errors, withFaults({ code: 'A', critical: false }, { code: 'C', critical: true })), 'an old one')
  t.notOk(requiresEvidence(errors, undefined))
  t.notOk(requiresEvidence(alert('hms_error_new', { errors: [null] }), withFaults({ code: 'A', critical: true })))
  t.same(markOf(alert('job_failed')),
    { id: 'job_failed-20260102T030405Z', type: 'job_failed', timestamp: '2026-01-02T03:04:05+00:00' })
})

t.test('recordings by pages', async t => {
  const mark = markOf(alert('job_failed'))
  const all = [5, 4, 3, 2, 1].map(minute => sample({
    started_at: `2026-01-01T00:0${minute}:00.000Z`,
    printer: minute > 3 ? 'a' : 'b',
    kind: minute === 1 ? 'manual' : 'evidence',
    alerts: minute === 2 ? [mark] : []
  }))
  const minutes = (page: ReturnType<typeof pageOf>) => page.recordings.map(({ started_at: at }) => at.slice(15, 16)).join('')
  const first = pageOf(all.toReversed(), {}, 2)
  t.match([minutes(first), first.total], ['54', 5])
  const second = pageOf(all.slice(1), {}, 2, first.next ?? '')
  t.equal(minutes(second), '32', 'whatever was removed meanwhile')
  const third = pageOf(all, {}, 2, second.next ?? '')
  t.match([minutes(third), third.next], ['1', null])
  t.equal(pageOf(all, {}, 5).next, null)
  t.equal(minutes(pageOf(all, { printer: 'b' }, 9)), '321')
  t.equal(minutes(pageOf(all, { kind: 'manual' }, 9)), '1')
  t.equal(minutes(pageOf(all, { alert: mark.id }, 9)), '2')
  t.equal(minutes(pageOf(all, { alert: 'job_failed' }, 9)), '2')
  // Pages of two services, at a hub.
  const [one, other] = [all.filter((_, at) => at % 2 === 0), all.filter((_, at) => at % 2 === 1)]
  const merged = mergePages([pageOf(one, {}, 2), pageOf(other, {}, 2)], 2)
  t.match([minutes(merged), merged.total, merged.next], ['54', 5, first.next])
  const after = mergePages([one, other].map(own => pageOf(own, {}, 2, merged.next ?? '')), 2)
  t.equal(minutes(after), '32')
  const rest = mergePages([one, other].map(own => pageOf(own, {}, 2, after.next ?? '')), 2)
  t.match([minutes(rest), rest.next], ['1', null])
  t.throws(() => pageOf(all, {}, 2, '../etc'), { code: 'PRN_ERR_BAD_INPUT' })
})

t.test('the name of a download holds nothing that a header or a system minds', async t => {
  t.equal(downloadName(sample({ printer: 'My "P1S"\r\n/../ü' })), 'My-P1S-..--evidence-2026-01-01T00-00-00.mp4')
})

t.test('pictures are played about as fast as they came', async t => {
  t.equal(fpsOf(11, 10_000), 1)
  t.equal(fpsOf(101, 10_000), 10)
  t.equal(fpsOf(1, 0), 1)
  t.equal(fpsOf(1_000, 1), 30)
})

t.test('pictures in a folder keep their order, and when they become too many every second one goes', async t => {
  const folder = join(testFolder(t), 'x')
  await mkdir(folder)
  const pictures = await openPictureFolder(folder, { most: 8 })
  for (let at = 1; at <= 7; at++) await pictures.add(Buffer.alloc(at))
  t.match(pictures, { count: 7, step: 1, bytes: 28 })
  await pictures.add(Buffer.alloc(8))
  t.match(pictures, { count: 4, step: 2, bytes: 16 })
  const again = await openPictureFolder(folder, { most: 8, step: pictures.step })
  await again.add(Buffer.alloc(9))
  const sizes: number[] = []
  for await (const { length } of again.pictures()) sizes.push(length)
  t.same(sizes, [1, 3, 5, 7, 9])
  t.equal((await readdir(folder)).length, 5)
  t.equal(again.step, 2)
})

t.test('when the next picture of a job is due', async t => {
  const settings = { evidence: true, timelapse: 'layer', interval_s: 10, keep_connected: false } as const
  t.notOk(isDue({ ...settings, timelapse: 'off' }, { at: 0, layer: 1 }, undefined, 1))
  t.notOk(isDue(settings, { at: 0, layer: 0 }, undefined, 1), 'nothing is printed yet')
  t.ok(isDue(settings, { at: 0, layer: 1 }, undefined, 1))
  t.notOk(isDue(settings, { at: 90, layer: 1 }, { at: 0, layer: 1 }, 1))
  t.ok(isDue(settings, { at: 90, layer: 2 }, { at: 0, layer: 1 }, 1))
  t.notOk(isDue(settings, { at: 90, layer: 2 }, { at: 0, layer: 1 }, 2), 'every second layer')
  t.ok(isDue(settings, { at: 90, layer: 3 }, { at: 0, layer: 1 }, 2))
  const interval = { ...settings, timelapse: 'interval' } as const
  t.ok(isDue(interval, { at: 0, layer: 0 }, undefined, 1))
  t.notOk(isDue(interval, { at: 9_999, layer: 5 }, { at: 0, layer: 1 }, 1))
  t.ok(isDue(interval, { at: 10_000, layer: 1 }, { at: 0, layer: 1 }, 1))
  t.notOk(isDue(interval, { at: 10_000, layer: 1 }, { at: 0, layer: 1 }, 2))
})

t.test('whether a job is still the same', async t => {
  const job = { taskId: '7', subtaskId: '8', subtaskName: 'cube', gcodeFile: 'cube.3mf', gcodeState: 'RUNNING' } as Job
  const key = jobKey(job)
  t.match(key, /^[0-9a-f]{16}$/)
  t.notOk(hasEnded({ ...job, layer: 5 } as Job, key))
  for (const gcodeState of ['PAUSE', '', 'PREPARE'] as Job['gcodeState'][]) t.notOk(hasEnded({ ...job, gcodeState }, key), gcodeState)
  for (const gcodeState of ['FINISH', 'FAILED', 'IDLE'] as Job['gcodeState'][]) t.ok(hasEnded({ ...job, gcodeState }, key), gcodeState)
  t.ok(hasEnded({ ...job, taskId: '9' }, key), 'another one')
})

t.test('pictures of a timelapse are no larger than 1080p', async t => {
  const jpeg = await picture('1', 3840, 1080)
  const { default: sharp } = await import('sharp')
  t.match(await sharp(await shrink({ jpeg, width: 3840, height: 1080 })).metadata(), { format: 'jpeg', width: 1920, height: 540 })
  t.equal(await shrink({ jpeg, width: 1920, height: 1080 }), jpeg, 'smaller ones stay as they are')
})

t.test('settings are kept for each printer, and what was not chosen is as configured', async t => {
  const path = join(testFolder(t), 'settings.json')
  const changed: string[] = []
  const open = (evidence: boolean) =>
    openSettings(path, { evidence, keep_connected: false }, () => {}, printer => { changed.push(printer) })
  const settings = await open(true)
  t.same(settings.of('a'), { evidence: true, timelapse: 'off', interval_s: 10, keep_connected: false })
  t.match(await settings.change('a', { timelapse: 'layer' }), { evidence: true, timelapse: 'layer' })
  t.same(changed, ['a'])
  const again = await open(false)
  t.match(again.of('a'), { evidence: false, timelapse: 'layer' })
  t.match(again.of('b'), { evidence: false, timelapse: 'off' })
  await again.forget('a')
  t.match((await open(true)).of('a'), { timelapse: 'off' })
})
