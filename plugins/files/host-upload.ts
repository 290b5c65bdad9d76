import multipart, { type MultipartFile } from '@fastify/multipart'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { BadInput, checkReplaceable, recorded, type Caller, type Kernel } from '../../core/index.js'
import { FileTooLarge, OwnFilesFull, UploadsFull } from './errors.js'
import { plainName } from './host-paths.js'
import { isPartName, type Room } from './quota.js'
import type { HostFiles } from './host-files.js'

const PATH = '/api/upload_file_to_host'
const FIELD = 'myFile'
const MOST_FIELDS = 20
/** It cannot be tried, and an upload that was meant as a trial must not be stored. */
const DRY_RUN = 'dry_run'
const HOW = `Send the file as multipart/form-data, in the field ${FIELD}`

const StoredView = Type.Object({
  status: Type.Literal('success'),
  filename: Type.String({ description: 'Name to ask for it by' })
})
const FORM = {
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        required: [FIELD],
        properties: { [FIELD]: { type: 'string', format: 'binary', description: 'The file' } }
      }
    }
  }
}

const noFile = (): Error => new BadInput('no file in request').with({ detail: HOW })

export interface ReceiveOptions {
  readonly filesOf: (caller: Caller) => HostFiles
  readonly mostBytes: number
  readonly kernel: Kernel
}

/** Streams uploads to the uploads folder. A file gets its name only once it is complete. */
export async function serveUploads (app: FastifyInstance, options: ReceiveOptions): Promise<void> {
  const { services } = options.kernel
  app.removeContentTypeParser('multipart/form-data') // by default only the fields of a form are parsed
  await app.register(multipart, {
    limits: { fileSize: options.mostBytes, files: 1, fields: MOST_FIELDS, fieldSize: 1024, headerPairs: 50 }
  })
  app.addContentTypeParser('*', (_request, _body, done) => { done(noFile()) })
  for (const method of ['POST', 'GET'] as const) {
    app.route({
      method,
      url: PATH,
      config: {
        openapi: {
          operationId: `${method.toLowerCase()}UploadFileToHost`,
          summary: '⚠ Store a file in the uploads folder of this host',
          description: `Multipart form with the file in the field ${FIELD}. Its name is cut to the part after the last slash.`,
          tags: ['Files'],
          consumes: ['multipart/form-data'],
          ...(method === 'POST' && { body: FORM }),
          response: {
            ...services.http.failures({ method: 'POST', errors: [FileTooLarge, UploadsFull, OwnFilesFull] }, PATH),
            200: { description: 'Stored', content: { 'application/json': { schema: StoredView } } }
          }
        }
      },
      handler: async (request, reply) => {
        const caller = services.http.callerOf(request)
        const files = options.filesOf(caller)
        const filename = await recorded(options.kernel, 'files.storeUpload', { surface: 'http', caller },
          () => receive(request, files).catch(asInput))
        return services.http.sendJson(reply, { status: 'success', filename })
      }
    })
  }
}

/** Errors of the multipart parser have neither a code nor a status. */
function asInput (error: Error & { code?: unknown, statusCode?: unknown }): never {
  if (error.code !== undefined || error.statusCode !== undefined) throw error
  throw new BadInput(`the form cannot be read: ${error.message}`, { cause: error }).with({ detail: HOW })
}

/** @throws PRN_ERR_BAD_INPUT for a field that asks for a dry run */
function refuseDryRun ({ fieldname, value }: { readonly fieldname: string, readonly value: unknown }): void {
  if (fieldname === DRY_RUN && value !== 'false') throw new BadInput(`${PATH} has no dry run`)
}

/** Reads the whole form, because the field after the file may say that it must not be stored. */
async function receive (request: FastifyRequest, files: HostFiles): Promise<string> {
  if (!request.isMultipart()) throw noFile()
  let stored: Stored | undefined
  try {
    for await (const part of request.parts()) {
      if (part.type === 'field') refuseDryRun(part)
      else if (part.fieldname === FIELD && stored === undefined) stored = await receiveFile(part, files)
      else part.file.resume()
    }
    if (stored === undefined) throw noFile()
    await checkReplaceable(stored.path)
    await rename(stored.fresh, stored.path)
    return stored.name
  } catch (error) {
    if (stored !== undefined) await rm(stored.fresh, { force: true })
    throw error
  } finally {
    stored?.room.end()
  }
}

/** A file that is complete and does not have its name yet. */
interface Stored { readonly name: string, readonly path: string, readonly fresh: string, readonly room: Room }

async function receiveFile ({ filename, file }: MultipartFile, files: HostFiles): Promise<Stored> {
  const name = plainName(filename)
  if (name === undefined || isPartName(name)) {
    file.resume()
    throw new BadInput('invalid filename')
  }
  const room = await files.reserve(name)
  try {
    const folder = await files.folder()
    return { name, path: join(folder, name), fresh: await store(file, folder, room), room }
  } catch (error) {
    room.end()
    throw error
  }
}

/** Passes bytes on while there is room for them. */
const counted = (room: Room) => new Transform({
  transform (chunk: Buffer, _encoding, done) {
    try {
      room.take(chunk.length)
      done(null, chunk)
    } catch (error) {
      done(error as Error)
    }
  }
})

async function store (file: NodeJS.ReadableStream & { truncated?: boolean }, folder: string, room: Room):
Promise<string> {
  const fresh = join(folder, `.${randomBytes(6).toString('hex')}.part`)
  try {
    await pipeline(file, counted(room), createWriteStream(fresh, { flags: 'wx', mode: 0o600 }))
    if (file.truncated === true) throw new FileTooLarge()
    return fresh
  } catch (error) {
    await rm(fresh, { force: true })
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw new FileTooLarge({ cause: error as Error })
    throw error
  }
}
