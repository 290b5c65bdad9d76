import sharp from 'sharp'
import t from 'tap'
import { picturesIn, pictureOf, withShrunk } from '../../../../plugins/mcp/pictures.js'

const SIDE = 256
const noise = Buffer.from(Array.from({ length: SIDE * SIDE / 2 * 3 }, (_, at) => (at * at * 7919) >>> 3 & 0xFF))

t.test('a picture that is made smaller is said to be smaller', async t => {
  const bytes = await sharp(noise, { raw: { width: SIDE, height: SIDE / 2, channels: 3 } }).jpeg().toBuffer()
  const uri = `data:image/jpeg;base64,${bytes.toString('base64')}`
  const answer = { data_uri: uri, plate_num: 1, width: SIDE, height: SIDE / 2, others: [{ picture: uri, width: 5 }] }
  const most = Math.round(uri.length / 2)
  const small = await withShrunk(answer, picturesIn(answer), most) as typeof answer
  const { width, height } = await sharp(pictureOf(small.data_uri).bytes).metadata()
  t.ok(small.data_uri.length <= most && width < SIDE, `${width} px`)
  const others = [{ picture: small.data_uri, width: 5 }]
  t.strictSame(small, { ...answer, data_uri: small.data_uri, width, height, others })
  t.same(await withShrunk(answer, picturesIn(answer), uri.length), answer, 'what fits stays as it is')
  const broken = { data_uri: `data:image/png;base64,${'A'.repeat(100)}`, width: 3, height: 4 }
  t.strictSame(await withShrunk(broken, picturesIn(broken), 50), { ...broken, data_uri: '' }, 'no picture at all')
})
