import { withTimeout } from '../../../core/index.js'
import type { AccessUnit } from '../video/types.js'
import { annexB } from './annex-b.js'
import type { PackageWorker, ReplyListener } from './package-worker.js'
import { failed } from './still-process.js'

export interface PackageStillOptions {
  /** Of the package, for the error. */
  readonly name: string
  readonly withinMs: number
  readonly signal: AbortSignal
}

/** The last of the pictures, as `Decoder.still` promises. A process that does not answer in time is ended. */
export async function packageStill (worker: PackageWorker, units: readonly AccessUnit[],
  { name, withinMs, signal }: PackageStillOptions): Promise<Buffer> {
  let settle: ReplyListener = () => {}
  const answer = new Promise<Buffer>((resolve, reject) => {
    settle = reply => {
      if (reply.kind === 'jpeg') resolve(Buffer.from(reply.jpeg))
      if (reply.kind === 'failed') reject(failed(reply.message))
    }
  })
  const conversation = worker.begin(settle)
  const { id } = conversation
  let isLate = false
  try {
    conversation.send({ kind: 'still', id, codec: units[0]?.format.codec ?? '', units: units.map(annexB) })
    return await withTimeout(withinMs, answer, () => {
      isLate = true
      return failed(`${name} gave nothing within ${withinMs / 1_000} s`)
    }, signal)
  } finally {
    conversation.end(isLate)
  }
}
