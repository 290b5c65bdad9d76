import t from 'tap'
import { copiesOf } from '../../../../plugins/queue/job-cost.js'
import { partsOfJob } from '../../../../plugins/queue/parts.js'
import type { SlicedFile } from '../../../../plugins/queue/types.js'
import { slicedFile, waitingJob } from '../views.js'

function fileOf (id: string, parts: number | undefined, partCounts: Record<string, number> = {}): SlicedFile {
  const file = slicedFile(id)
  return { ...file, partCounts, plates: file.plates.map(plate => ({ ...plate, ...parts !== undefined && { parts } })) }
}

t.test('parts are counted by the objects of the plate, or as a person has said', t => {
  const of = (file: SlicedFile, needs = {}) => partsOfJob(waitingJob('a', { copies: 3, finished: 1 }, needs).job, new Map([[file.id, file]]))
  t.same(of(fileOf('a', 6)), { perCopy: 6, finished: 6, wanted: 18 })
  t.same(of(fileOf('a', 6, { 1: 5 }), { parts: 13 }), { perCopy: 5, finished: 5, wanted: 13 })
  t.equal(of(fileOf('a', 0)), undefined, 'a plate without known objects')
  t.equal(of(fileOf('a', undefined)), undefined, 'a file of an earlier version')
  t.equal(of(fileOf('b', 6)), undefined, 'a file that is gone')
  t.end()
})

t.test('so many parts take so many copies', t => {
  const files = [fileOf('a', 6), fileOf('b', 4), fileOf('c', undefined)]
  const of = (parts: number | undefined, ...names: string[]) =>
    copiesOf({ copies: 7, ...parts !== undefined && { parts } }, files, names.map(file => ({ file })))
  t.same([of(undefined, 'c'), of(100, 'a'), of(6, 'a'), of(7, 'a.gcode.3mf')], [7, 17, 1, 2])
  t.throws(() => of(10, 'c'), /unknown how many parts/)
  t.throws(() => of(10, 'none'), /unknown how many parts/)
  t.throws(() => of(10, 'a', 'b'), /other numbers of parts/)
  t.throws(() => of(6_001, 'a'), /take 1001 copies/)
  t.end()
})
