import t from 'tap'
import { plannedFilament } from '../../../../plugins/queue/planned-filament.js'

const plate = (number: number, filaments: object[]) => ({ number, filaments })
const files = new Map([['f', {
  plates: [
    plate(1, [{ id: 1, type: 'PLA', color: '#111111', grams: 10 }, { id: 2, type: 'PLA', color: '#222222' }]),
    plate(2, [{ id: 1, type: 'PLA', color: '#111111', grams: 4 }])
  ]
}]])
const job = (id: string, copies: number, taken: number, number: number, file = 'f') => ({ id, copies, taken, alternatives: [{ file, plate: number }] })

t.test('waiting copies and those in progress need what the slicer says', async t => {
  const planned = (jobs: object[], runs: object[] = []) => plannedFilament({ jobs, runs, files } as any)
  t.same(planned([job('a', 3, 1, 1), job('b', 2, 0, 2)], [{ job: 'a' }]), [{ material: 'PLA', color: '#111111', grams: 38 }])
  t.same(planned([job('a', 3, 3, 1)]), [], 'all were printed')
  t.same(planned([job('a', 1, 0, 1, 'gone'), job('b', 1, 0, 9)]), [], 'nothing is known of these')
})
