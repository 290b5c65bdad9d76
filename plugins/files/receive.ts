import multipart from '@fastify/multipart'
import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { BadInput, type Kernel } from '../../core/index.js'
import { FileTooLarge } from './errors.js'
import { plainName } from './host-paths.js'

const PATH = '/api/upload_file_to_host'
const FIELD = 'myFile'
const MOST_FIELDS = 20
const HOW = `Send the file as multipart/form-data, in the field ${FIELD}`

const noFile = (): Error => new BadInput('no file in request').with({ detail: HOW })

export interface ReceiveOptions {
  readonly folder: () => Promise<string>
  readonly mostBytes: number
  readonly redact: Kernel['redact']
}

/** Takes files for the uploads folder, straight to disk. A file has its name only once it is whole. */
export async function serveUploads (app: FastifyInstance, options: ReceiveOptions): Promise<void> {
  app.removeContentTypeParser('multipart/form-data') // elsewhere only the fields of a form are read
  await app.register(multipart, {
    limits: { fileSize: options.mostBytes, files: 1, fields: MOST_FIELDS, fieldSize: 1024, headerPairs: 50 }
  })
  app.addContentTypeParser('*', (_request, _body, done) => { done(noFile()) })
  for (const method of ['POST', 'GET'] as const) {
    app.route({
      method,
      url: PATH,
      schema: {
        operationId: `${method.toLowerCase()}UploadFileToHost`,
        summary: 'Store a file in the uploads folder of this host',
        description: `Multipart form with the file in the field ${FIELD}. Its name is cut to the part after the last slash.`,
        tags: ['Files'],
        consumes: ['multipart/form-data'],
        response: {
          200: {
            description: 'Stored',
            type: 'object',
            properties: { status: { type: 'string' }, filename: { type: 'string' } }
          },
          413: { description: 'The file is too large', type: 'object', additionalProperties: true }
        }
      },
      handler: async (request, reply) => {
        const filename = options.redact(await receive(request, options).catch(asInput))
        void reply.header('cache-control', 'no-store')
        return { status: 'success', filename }
      }
    })
  }
}

/** What the reader of forms complains of carries neither a code nor a status. */
function asInput (error: Error & { code?: unknown, statusCode?: unknown }): never {
  if (error.code !== undefined || error.statusCode !== undefined) throw error
  throw new BadInput(`the form cannot be read: ${error.message}`, { cause: error }).with({ detail: HOW })
}

async function receive (request: FastifyRequest, { folder }: ReceiveOptions): Promise<string> {
  if (!request.isMultipart()) throw noFile()
  for await (const part of request.parts()) {
    if (part.type !== 'file' || part.fieldname !== FIELD) {
      if (part.type === 'file') part.file.resume()
      continue
    }
    const name = plainName(part.filename)
    if (name === undefined) {
      part.file.resume()
      throw new BadInput('invalid filename')
    }
    await store(part.file, await folder(), name)
    return name
  }
  throw noFile()
}

async function store (file: NodeJS.ReadableStream & { truncated?: boolean }, folder: string, name: string):
Promise<void> {
  const fresh = join(folder, `.${randomBytes(6).toString('hex')}.part`)
  try {
    await pipeline(file, createWriteStream(fresh, { flags: 'wx', mode: 0o600 }))
    if (file.truncated === true) throw new FileTooLarge()
    await rename(fresh, join(folder, name))
  } catch (error) {
    await rm(fresh, { force: true })
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE') throw new FileTooLarge({ cause: error as Error })
    throw error
  }
}
