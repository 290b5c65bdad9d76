import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { BadInput } from '../../../core/index.js'
import { howToSlice } from '../../../plugins/projects/index.js'
import type { Service } from '../service.js'
import { bar } from '../table.js'
import type { Screen } from './jobs.js'

/** A sliced file on this machine. */
export interface LocalFile { readonly path: string, readonly name: string, readonly size: number }

/** @throws PRN_ERR_BAD_INPUT for a file of another kind */
export async function localFile (path: string): Promise<LocalFile> {
  const name = basename(path)
  const problem = howToSlice(name)
  if (problem !== undefined) throw new BadInput(problem)
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new BadInput(error.code === 'ENOENT' ? `There is no file '${path}'` : `'${path}' cannot be read: ${error.code}`)
  })
  if (!found.isFile()) throw new BadInput(`'${path}' is no file`)
  return { path, name, size: found.size }
}

type Sender = Pick<Service, 'call' | 'send'>
const POLL_EVERY_MS = 1_000
/** A slow card takes some minutes for a large project. */
const CARD_WITHIN_MS = 1_800_000

/** Progress on one line; without a terminal, only the start and the end are printed. */
function progressOn ({ say, redraw }: Screen, what: string) {
  const part = (done: number, total: number) =>
    redraw?.(`${what}  ${bar(done / Math.max(1, total) * 100)}  ${Math.round(done / Math.max(1, total) * 100)} %`)
  return {
    part,
    end () {
      part(1, 1)
      say(redraw ? '' : `${what}: done`)
    }
  }
}

async function * pieces (path: string, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of createReadStream(path)) {
    yield piece as Buffer
    onBytes(bytes += (piece as Buffer).length)
  }
}

/** Uploads to the queue's library. */
export async function sendToLibrary<T> (service: Sender, screen: Screen, { path, name, size }: LocalFile): Promise<T> {
  const progress = progressOn(screen, `Sending ${name} to the library`)
  const body = pieces(path, bytes => progress.part(bytes, size))
  const file = await service.send<T>(`/api/queue/files?filename=${encodeURIComponent(name)}`, body, 'application/octet-stream')
  progress.end()
  return file
}

/** As the only part of a multipart form, the format of uploads for printers. */
async function * inForm (body: AsyncIterable<Uint8Array>, name: string, boundary: string): AsyncGenerator<Uint8Array> {
  const quoted = name.replaceAll(/["\r\n\\]/g, '_')
  yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="myFile"; filename="${quoted}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n')
  yield * body
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}

interface Transfer { readonly path: string, readonly status: string, readonly bytes: number, readonly total: number }

/** Uploads to the service, and from there to the printer's card. @returns its path on the card */
export async function sendToCard (service: Sender, screen: Screen, printer: string, file: LocalFile): Promise<string> {
  const { path, name, size } = file
  const first = progressOn(screen, `Sending ${name} to the service`)
  const boundary = `prnd-${randomBytes(12).toString('hex')}`
  const body = inForm(pieces(path, bytes => first.part(bytes, size)), name, boundary)
  const { filename } = await service.send<{ filename: string }>('/api/upload_file_to_host', body,
    `multipart/form-data; boundary=${boundary}`)
  first.end()
  const second = progressOn(screen, `Sending ${name} to ${printer}`)
  const dest = `/${filename}`
  const timer = setInterval(() => {
    service.call<{ transfers: readonly Transfer[] }>('GET', '/api/file_transfers', { printer }).then(({ transfers }) => {
      const now = transfers.find(one => one.path === dest && one.status === 'running')
      if (now && now.total > 0) second.part(now.bytes, now.total)
    }, () => {}) // the transfer itself reports its errors
  }, POLL_EVERY_MS)
  try {
    await service.call('POST', '/api/upload_file_to_printer', { printer, src: filename, dest, to_print: true }, CARD_WITHIN_MS)
  } finally {
    clearInterval(timer)
  }
  second.end()
  return dest
}
