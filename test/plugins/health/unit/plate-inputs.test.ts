import t from 'tap'
import type { PrinterSession } from '../../../../core/index.js'
import { NO_POSE } from '../../../../plugins/health/analysis/plate-mask/bed-view.js'
import { outlineInput, type OutlineSources } from '../../../../plugins/health/inputs.js'
import { NoPlateFile } from '../../../../plugins/toolpath/index.js'
import { createPoses } from '../../../../plugins/health/monitor/poses.js'
import { testFolder } from '../../../helpers/folder.js'

const { signal } = new AbortController()
const OUTLINE = { layer: 41, z: 8.2 }

interface Different {
  readonly layer?: number
  readonly totalLayers?: number
  readonly skippedObjects?: readonly number[]
}

/** A job of 100 layers whose plate was read before, at layer 42. */
async function outlineOf (different: Different = {}, sources: Partial<OutlineSources> = {},
  { job: count = 1, missing = new Map<string, string>() } = {}): Promise<unknown> {
  const asked: unknown[] = []
  const projects = { ofJob: () => ({ info: { id: '/part.3mf', plates: [1] } }) }
  const toolpath = {
    known: async () => ({ plate: { layers: Array.from({ length: 101 }, () => ({})) } }),
    outline: async (_session: unknown, path: string, plate: number, layer: number) => {
      asked.push([path, plate, layer])
      return OUTLINE
    }
  }
  const job = { layer: 42, totalLayers: 100, skippedObjects: [], gcodeFile: '/data/Metadata/plate_1.gcode', ...different }
  const session = { name: 'one', state: { job }, signal } as unknown as PrinterSession
  const all = { projects, toolpath, ...sources } as unknown as OutlineSources
  const found = await outlineInput(all, { session, job: count, missing }, { debug () {} })
  return found && asked
}

t.test('the outline of the layer before is asked for, and only where it is known for certain', async t => {
  t.strictSame(await outlineOf(), [['/part.3mf', 1, 41]])
  t.equal(await outlineOf({ layer: 1 }), undefined)
  t.equal(await outlineOf({ skippedObjects: [3] }), undefined)
  t.equal(await outlineOf({ totalLayers: 97 }), undefined, 'another file has so many layers')
  t.equal(await outlineOf({ layer: 101, totalLayers: 0 }), undefined)
  t.equal(await outlineOf({}, { toolpath: undefined }), undefined)
  t.equal(await outlineOf({}, { projects: undefined }), undefined)
})

t.test('a plate that was not read, and an outline that fails, are no outline', async t => {
  const known = async () => undefined
  const outline = async () => { throw new Error('the thread ended') }
  t.equal(await outlineOf({}, { toolpath: { known, outline } as unknown as OutlineSources['toolpath'] }), undefined)
  const read = async () => ({ plate: { layers: Array.from({ length: 101 }, () => ({})) } })
  t.equal(await outlineOf({}, { toolpath: { known: read, outline } as unknown as OutlineSources['toolpath'] }), undefined)
})

t.test('a file that is not on the card is looked for once in a job, and one that is not read yet at every look', async t => {
  let asked = 0
  const answering = (known: () => Promise<unknown>) => ({ toolpath: { known, outline: async () => OUTLINE } as never })
  const absent = answering(async () => { asked++; throw new NoPlateFile('/part.3mf') })
  const missing = new Map<string, string>()
  for (const job of [1, 1, 1]) t.equal(await outlineOf({}, absent, { job, missing }), undefined)
  t.equal(asked, 1)
  await outlineOf({}, absent, { job: 2, missing })
  t.equal(asked, 2, 'the next job has a file of its own')
  const unread = answering(async () => { asked++ })
  for (const job of [3, 3]) await outlineOf({}, unread, { job, missing })
  t.equal(asked, 4, 'it may be read meanwhile, without listing the card')
})

t.test('where a camera is stays known after a restart, for each printer', async t => {
  const folder = testFolder(t)
  const open = () => createPoses(async () => folder, t.fail)
  const corners = [[1, 2], [3, 4], [5, 6], [7, 8]] as const
  const pose = { ...NO_POSE, found: [corners], rises: [{ kind: 'upright' as const, factor: 1.25 }] }
  t.equal(await open().load('one'), undefined)
  await open().save('one', pose)
  t.same(await open().load('one'), pose)
  t.equal(await open().load('other'), undefined)
})
