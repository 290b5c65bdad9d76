import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import { BadInput, operation, privateFolder, StateNotCurrent, type PrinterContext } from '../../../core/index.js'
import { CardFailed, FileInUse, TransferCancelled, UploadsFull } from '../errors.js'
import { CardPath, Contents } from '../schemas.js'
import { replaceFile } from '../replace-file.js'
import { contentsAfter } from './change.js'
import { readFile } from './read.js'

/** Passes on exactly as many bytes as were announced, and reports each chunk. */
const counted = (size: number, take: (bytes: number) => void) => {
  let seen = 0
  return new Transform({
    transform (chunk: Buffer, _encoding, done) {
      try {
        seen += chunk.length
        if (seen > size) throw new BadInput('More came than was announced')
        take(chunk.length)
        done(null, chunk)
      } catch (error) {
        done(error as Error)
      }
    },
    flush (done) { done(seen === size ? null : new BadInput('Less came than was announced')) }
  })
}

/** For services that show this card to others. The data is stored in the uploads folder until the card has it. */
export const receiveFile = operation({
  name: 'files.receive',
  summary: 'Copy what another service sends to the card',
  effect: 'destructive',
  consequence: 'Copies the file to the card and replaces a file of that path. Missing folders are made.',
  input: Type.Object({
    path: CardPath,
    size: Type.Integer({ minimum: 0 }),
    body: Type.Unsafe<Readable>({ type: 'object' })
  }),
  output: Contents,
  errors: [CardFailed, FileInUse, StateNotCurrent, TransferCancelled, UploadsFull],
  async run ({ session, services: { files }, kernel, signal, progress }, { path, size, body }) {
    const name = `.${randomBytes(6).toString('hex')}.part`
    const file = join(await privateFolder(join(kernel.dataDir, 'uploads')), name)
    const room = await files.hostFiles().reserve(name)
    try {
      await pipeline(body, counted(size, room.take), createWriteStream(file, { flags: 'wx', mode: 0o600 }), { signal })
      await files.upload(session, file, path, {
        signal, onProgress: ({ bytes, total }) => progress(bytes, total, `Uploading ${path}`)
      })
    } finally {
      await rm(file, { force: true })
      room.end()
    }
    return await contentsAfter(() => files.list(session, { signal }))
  }
})

/** Makes the service that is connected to the card copy a file of this host to it. */
export const sendFile = ({ session, services: { files }, kernel, signal, progress }: PrinterContext, hostPath: string,
  path: string): Promise<Contents> =>
  files.transfers.record({ direction: 'upload', path }, session, {
    signal, onProgress: ({ bytes, total }) => progress(bytes, total, `Uploading ${path}`)
  }, async ({ signal, onProgress }) => {
    const { size } = await stat(hostPath)
    return await kernel.call(receiveFile, { path, size, body: createReadStream(hostPath) }, {
      printer: session.name,
      surface: 'files',
      signal,
      progress: (bytes, total = size) => onProgress?.({ bytes, total })
    })
  })

/** Copies a file from a card of another service to this host. */
export const fetchFile = ({ session, services: { files }, kernel, signal, progress }: PrinterContext, path: string,
  hostPath: string): Promise<void> =>
  files.transfers.record({ direction: 'download', path }, session, {
    signal, onProgress: ({ bytes, total }) => progress(bytes, total, `Downloading ${path}`)
  }, async ({ signal, onProgress }) => {
    const { entry, body } = await kernel.call(readFile, { path }, { printer: session.name, surface: 'files', signal })
    let bytes = 0
    const counter = new Transform({
      transform (chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        onProgress?.({ bytes, total: entry.size })
        done(null, chunk)
      }
    })
    await replaceFile(hostPath, sink => pipeline(body, counter, sink(), { signal }))
  })
