// Child process that decodes and encodes with the package in the folder given as its argument.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { createEncoding, type Encoding } from './package-encode.js'
import { createStill, openVideo, type WebCodecs } from './package-decode.js'
import type { PackageReply, PackageRequest } from './package-messages.js'

const PACKAGE = '@napi-rs/webcodecs'
const codecs = createRequire(join(process.argv[2] ?? '', 'index.js'))(PACKAGE) as WebCodecs

const reply = (message: PackageReply): void => { process.send?.(message) }
const failed = (id: number) => (error: Error): void => {
  letGo(id)
  reply({ kind: 'failed', id, message: error.message })
}

const videos = new Map<number, ReturnType<typeof openVideo>>()
const encodings = new Map<number, Encoding>()
/** Releases what an aborted request holds. */
function letGo (id: number): void {
  videos.get(id)?.close()
  videos.delete(id)
  encodings.get(id)?.close()
  encodings.delete(id)
}

function take (request: PackageRequest): void | Promise<void> {
  const { id } = request
  switch (request.kind) {
    case 'still':
      return createStill(codecs, request).then(jpeg => reply({ kind: 'jpeg', id, jpeg }))
    case 'open':
      videos.set(id, openVideo(codecs, request.maxFps, jpeg => reply({ kind: 'jpeg', id, jpeg }), failed(id)))
      return
    case 'unit':
      return videos.get(id)?.push(request).then(() => reply({ kind: 'taken', id }))
    case 'encode':
      encodings.set(id, createEncoding(codecs, request))
      return
    case 'picture':
      return encodings.get(id)?.add(request.jpeg).then(() => reply({ kind: 'taken', id }))
    case 'end':
      return encodings.get(id)?.finish().then(() => { letGo(id); reply({ kind: 'done', id }) })
    case 'abort':
      return letGo(id)
  }
}

process.on('message', (request: PackageRequest) => {
  void Promise.resolve().then(() => take(request)).catch(failed(request.id))
})
process.on('disconnect', () => process.exit(0))
