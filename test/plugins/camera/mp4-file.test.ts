import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { createMp4File } from '../../../plugins/camera/video/mp4-file.js'
import type { AccessUnit } from '../../../plugins/camera/video/types.js'
import { testFolder } from '../../helpers/folder.js'
import { findProgram } from '../../helpers/programs.js'
import { clip, plainUnits } from './helpers/units.js'

const noFfprobe = (findProgram('ffprobe') === undefined || findProgram('ffmpeg') === undefined) && 'ffprobe is not installed'

async function write (path: string, units: readonly AccessUnit[]): Promise<number> {
  const [first] = units as [AccessUnit]
  const file = await createMp4File(path, first.format)
  for (const unit of units) await file.add(unit)
  return await file.finish()
}

t.test('the boxes of a whole file, and how long it lasts', async t => {
  const path = join(testFolder(t), 'x.mp4')
  const units = plainUnits(160, 96, [10, 100, 200])
  t.equal(await write(path, units), 100, 'three pictures of a thirtieth of a second')
  const bytes = await readFile(path)
  const types: string[] = []
  for (let at = 0; at < bytes.length;) {
    const short = bytes.readUInt32BE(at)
    types.push(bytes.toString('latin1', at + 4, at + 8))
    at += short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
  }
  t.same(types, ['ftyp', 'mdat', 'moov'])
  await t.rejects(createMp4File(path, (units[0] as AccessUnit).format), { code: 'EEXIST' })
})

t.test('another program decodes every picture, and knows how long each is shown', { skip: noFfprobe }, async t => {
  const path = join(testFolder(t), 'x.mp4')
  const units = await clip({ size: '322x242', seconds: 2 })
  const late = units.map((unit, at) => at < 30 ? unit : { ...unit, time: unit.time + 90_000 })
  t.equal(await write(path, late), 3_000)
  const { stdout, stderr } = await promisify(execFile)('ffprobe', ['-v', 'warning', '-count_frames', '-show_entries',
    'stream=codec_name,width,height,nb_read_frames,start_time,duration', '-of', 'json', path])
  t.match({ stderr, ...JSON.parse(stdout).streams[0] }, {
    stderr: '', codec_name: 'h264', width: 322, height: 242, nb_read_frames: '60', start_time: '0.000000', duration: '3.000000'
  })
})
