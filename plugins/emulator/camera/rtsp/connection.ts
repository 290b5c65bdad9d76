import { createDialogue, type DialogueOptions } from './dialogue.js'
import { readRequest, writeReply, type RtspRequest } from './message.js'

/** Reads one client's requests and answers them in turn, until its connection ends. */
export function serveConnection (options: DialogueOptions): void {
  const { socket, sessionMs } = options
  const dialogue = createDialogue(options)
  let got = Buffer.alloc(0)
  let queue = Promise.resolve()
  let patience: NodeJS.Timeout | undefined

  const answer = async (request: RtspRequest): Promise<void> => {
    const { status, headers, body } = await dialogue.answer(request)
    if (socket.writable) socket.write(writeReply(status, request.headers.get('cseq') ?? '0', headers, body))
    if (request.method === 'TEARDOWN' && status === 200) socket.destroySoon()
  }

  /** @throws Error for what is no request */
  const take = (): void => {
    for (let read = readRequest(got); read !== undefined; read = readRequest(got)) {
      got = got.subarray(read.bytes)
      const { request } = read
      if (request !== undefined) queue = queue.then(() => answer(request)).catch(() => { socket.destroy() })
    }
  }

  const alive = (): void => {
    clearTimeout(patience)
    patience = setTimeout(() => socket.destroy(), sessionMs).unref()
  }

  alive()
  socket.on('data', chunk => {
    alive()
    got = Buffer.concat([got, chunk])
    try {
      take()
    } catch {
      socket.write(writeReply(400, '0'))
      socket.destroySoon()
    }
  })
  socket.once('close', () => { clearTimeout(patience); dialogue.finish() })
}
