import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { BadInput, checkReplaceable, operation, type PrinterContext } from '../../../core/index.js'
import { FileMissing, plainName, UploadsFull } from '../../../plugins/files/index.js'
import { contentsAfter, deleteEntry } from '../../../plugins/files/operations/change.js'
import { listFiles } from '../../../plugins/files/operations/read.js'
import { uploadStored } from '../../../plugins/files/operations/transfer.js'
import { readProps } from '../../../plugins/projects/operations/read.js'

const callWith = ({ session, signal, log, caller }: PrinterContext) => ({ printer: session.name, signal, log, caller })

/** The last listing; the card is read only if there is none. */
export const readCard = operation({
  name: 'standalone.readCard',
  summary: 'Everything on the card, as it was last listed',
  effect: 'read',
  input: Type.Object({}),
  output: listFiles.output,
  async run (context) {
    const known = await context.kernel.call(listFiles, { cached: true }, callWith(context))
    return known.contents === null ? await context.kernel.call(listFiles, {}, callWith(context)) : known
  }
})

/** Answers with the card also if it was not listed before. */
export const deleteFromCard = operation({
  ...deleteEntry,
  name: 'standalone.deleteFromCard',
  async run (context, input) {
    const { kernel, session, services, signal } = context
    const outcome = await kernel.call(deleteEntry, input, callWith(context))
    return outcome.contents === null ? await contentsAfter(() => services.files.list(session, { signal })) : outcome
  }
})

/** A project is parsed at once, so that its data are available for later requests. */
export const putOnCard = operation({
  name: 'standalone.putOnCard',
  summary: 'Copy a file of the uploads folder to the card',
  effect: 'destructive',
  consequence: 'Copies the file to the card and replaces a file of that path.',
  input: uploadStored.input,
  output: uploadStored.output,
  async run (context, input) {
    const { kernel, log } = context
    const outcome = await kernel.call(uploadStored, input, callWith(context))
    if (/\.3mf$/i.test(input.path)) {
      await kernel.call(readProps, { file: input.path }, callWith(context))
        .catch(error => log.info({ err: error, file: input.path }, 'the project was not read'))
    }
    return outcome
  }
})

/** A file that is being sent to a client. */
export interface Fetched { readonly name: string, readonly size: number, readonly body: Readable }

/** The copy gets its name only once it is complete, and does not disturb readers of the previous one. */
export const fetchFromCard = operation({
  name: 'standalone.fetchFromCard',
  summary: 'Copy a file of the card to the uploads folder, and send it',
  effect: 'local',
  input: Type.Object({ path: Type.String({ minLength: 1 }) }),
  output: Type.Unsafe<Fetched>({ type: 'string', format: 'binary' }),
  errors: [FileMissing, UploadsFull],
  async run ({ session, services, signal, caller }, { path }) {
    const name = plainName(path)
    if (name === undefined || path.split('/').includes('..')) throw new BadInput('invalid src filename')
    const files = services.files.hostFiles(caller)
    const folder = await realpath(await files.folder())
    const fresh = join(folder, `.${randomBytes(6).toString('hex')}.part`)
    const entry = await services.files.find(session, path, { signal })
    if (!entry || entry.isFolder) throw new FileMissing(path)
    const room = await files.reserve(name)
    try {
      room.take(entry.size)
      await services.files.download(session, path, fresh, { signal })
      const file = await open(fresh)
      await checkReplaceable(join(folder, name))
      await rename(fresh, join(folder, name))
      return { name, size: (await file.stat()).size, body: file.createReadStream() }
    } catch (error) {
      await rm(fresh, { force: true })
      throw error
    } finally {
      room.end()
    }
  }
})
