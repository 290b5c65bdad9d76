import t from 'tap'
import { DiskWatch, inTime } from '../../../../plugins/disk/disk-watch.js'

const MIB = 1024 ** 2
const DAY = 86_400_000

function watched () {
  let now = Date.UTC(2026, 0, 1, 12)
  const disk = { free: 900 * MIB, error: undefined as string | undefined, canTell: true, targets: ['phone'] }
  const told: string[] = []
  const listed: string[] = []
  const watch = new DiskWatch({
    free: async () => disk.free,
    async tryOut () { if (disk.error !== undefined) throw Object.assign(new Error('write'), { code: disk.error }) },
    connect: () => {
      const at = listed.push('') - 1
      return { failed: error => { listed[at] = (error as Error).message }, remove: () => { listed.splice(at, 1) } }
    },
    async tell (trouble, words, day) {
      if (!disk.canTell) throw new Error('later')
      told.push(`${trouble} ${day}: ${words}`)
      return disk.targets
    },
    log: { error () {}, info () {} },
    now: () => now
  })
  return { watch, disk, told, listed, pass: (ms: number) => { now += ms } }
}

t.test('a disk that is nearly full is told once a day, until there is enough again', async t => {
  const { watch, disk, told, listed, pass } = watched()
  await watch.look()
  t.same([told, listed], [[], []])
  disk.free = 199 * MIB
  for (let look = 0; look < 3; look++) await watch.look()
  t.same(told, ['low 2026-01-01: Only 199 MiB are free where the data folder is'])
  t.same(listed, ['Only 199 MiB are free where the data folder is'])
  pass(DAY)
  disk.free = 240 * MIB
  await watch.look()
  t.equal(told.length, 2, 'a little more is not enough')
  disk.free = 251 * MIB
  await watch.look()
  t.same(listed, [])
})

t.test('a disk that cannot be written is told, also after it was nearly full, and again until it is', async t => {
  const { watch, disk, told } = watched()
  disk.free = 1
  await watch.look()
  Object.assign(disk, { error: 'ENOSPC', canTell: false })
  await watch.look()
  t.equal(told.length, 1)
  disk.canTell = true
  await watch.look()
  t.same(told.slice(1), ['full 2026-01-01: Nothing can be written in the data folder: ENOSPC'])
})

t.test('a trouble that reached nobody is told when there is somebody', async t => {
  const { watch, disk, told } = watched()
  Object.assign(disk, { free: 1, targets: [] })
  await watch.look()
  disk.targets = ['phone']
  await watch.look()
  await watch.look()
  t.equal(told.length, 2)
})

t.test('a disk that does not answer is a trouble, and is not asked again meanwhile', async t => {
  let asked = 0
  let answer: (value: number) => void = () => {}
  const free = inTime(() => { asked++; return new Promise<number>(resolve => { answer = resolve }) }, 1)
  await t.rejects(free(), { message: 'the disk does not answer' })
  await t.rejects(free(), { message: 'the disk does not answer' })
  t.equal(asked, 1)
  const waiting = free()
  answer(5)
  t.equal(await waiting, 5)
  void free().catch(() => {})
  t.equal(asked, 2)
})
