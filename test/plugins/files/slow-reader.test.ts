import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Readable } from 'node:stream'
import t from 'tap'
import { downloadStream } from '../../../plugins/files/transfer-stream.js'

t.test('whoever reads slowly gets the end too', async t => {
  let isTransferred = (): void => {}
  const transferred = new Promise<void>(resolve => { isTransferred = resolve })
  const content = Array.from({ length: 4 }, (_, at) => Buffer.alloc(10_000, at))
  const body = await downloadStream(async sink => {
    const part = sink()
    await pipeline(Readable.from(content), part)
    isTransferred()
  })
  const bytes = buffer(body)
  await transferred
  if (!body.readableEnded) await once(body, 'end')
  t.equal((await bytes).length, 40_000)
})
