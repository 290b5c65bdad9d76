import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import sharp from 'sharp'
import t, { type Test } from 'tap'
import { jpegOf } from '../../../../plugins/camera/rendition.js'
import { startChild } from '../../../../plugins/camera/decoder/child.js'
import { findFfmpeg } from '../../../../plugins/camera/decoder/ffmpeg-program.js'
import { decodeImage, fitInto } from '../../../../plugins/health/pictures/images.js'
import { testFolder } from '../../../helpers/folder.js'

/** Programs that only say which version of ffmpeg they are. */
function programs (t: Test, ...versions: readonly string[]): string[] {
  const folder = testFolder(t, Object.fromEntries(versions.map(version => [version, {}])))
  return versions.map(version => {
    const path = join(folder, version, 'ffmpeg')
    writeFileSync(path, `#!${process.execPath}\nconsole.log('ffmpeg version ${version}')\n`)
    chmodSync(path, 0o755)
    return path
  })
}

t.test('the configured ffmpeg is used, else the one of the system, else the one of the package', async t => {
  const { PATH = '' } = process.env
  t.teardown(() => { process.env.PATH = PATH })
  const [configured, system = '', ofPackage] = programs(t, '1.1', '2.2', '3.3')
  process.env.PATH = [dirname(system), PATH].join(delimiter)
  t.match(await findFfmpeg(configured, async () => ofPackage), { version: '1.1' })
  t.match(await findFfmpeg(undefined, async () => ofPackage), { version: '2.2' })
  process.env.PATH = testFolder(t) // with nothing on it
  t.match(await findFfmpeg(undefined, async () => ofPackage), { version: '3.3' })
})

t.test('a program that is started does not inherit our secrets', async t => {
  const path = join(testFolder(t), 'environment.json')
  Object.assign(process.env, { PRN_API_TOKEN: 'a long secret', MY_PRINTERS_CODE: '12345678' })
  t.teardown(() => { delete process.env.PRN_API_TOKEN; delete process.env.MY_PRINTERS_CODE })
  const script = 'require("fs").writeFileSync(process.argv[1], JSON.stringify(process.env))'
  t.equal(await startChild(process.execPath, ['-e', script, path], { graceMs: 1_000 }).gone, 'exit code 0')
  const inherited = JSON.parse(readFileSync(path, 'utf8'))
  t.equal(inherited.PATH, process.env.PATH)
  t.notMatch(JSON.stringify(inherited), /a long secret|12345678/)
})

t.test('pictures of more than 12 megapixels are not decoded', async t => {
  const jpegOfSize = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#888' } }).jpeg().toBuffer()
  const [large, fits] = await Promise.all([jpegOfSize(4_001, 3_000), jpegOfSize(4_000, 3_000)])
  for (const work of [
    (jpeg: Buffer) => decodeImage(jpeg, { width: 160, height: 120 }),
    (jpeg: Buffer) => fitInto(jpeg, { width: 160, height: 120 }),
    (jpeg: Buffer) => jpegOf({ seq: 1, jpeg, width: 1, height: 1, capturedAt: 0 }, { resolution: '180p', quality: 85 })
  ]) {
    await t.rejects(async () => { await work(large) }, /pixel limit/)
    await work(fits)
  }
})
