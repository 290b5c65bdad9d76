import { createReadStream } from 'node:fs'
import { Type } from 'typebox'
import { BadInput, nameOf, NotFound, operation, type DaemonContext } from '../../../core/index.js'
import { CARD_ERRORS, FileMissing, plainName } from '../../files/index.js'
import { howToSlice } from '../../projects/index.js'
import { LibraryFull, NoSlicedFile, NotSliced, SlicedFileNeeded, SlicedFileTooLarge } from '../errors.js'
import { FileId, FileView, MOST_ON_PLATE } from '../schemas.js'
import type { SlicedFile } from '../types.js'

type Context = Pick<DaemonContext, 'kernel' | 'services' | 'askedBy' | 'caller' | 'signal'>

/** A file in the library, or on the card of a printer. */
export interface FileRef { readonly file: string, readonly card?: string }

/** @throws the errors of the library and of cards */
export const fileFrom = (context: Context, { file, card }: FileRef): Promise<SlicedFile> =>
  card === undefined ? fileHere(context, file) : fileOnCard(context, card, file)

/** Copies a file from a card into the library, so that every suitable printer can print it. */
async function fileOnCard ({ kernel, services: { queue }, askedBy, signal }: Context, printer: string, path: string):
Promise<SlicedFile> {
  const problem = howToSlice(path)
  if (problem !== undefined) throw new BadInput(problem)
  const read = kernel.operation('files.read')
  if (!read) throw new BadInput('Cards are not part of this service: upload the file')
  const { body } = await kernel.call(read, { path }, { printer, surface: 'queue', signal })
  return await queue.storeFile(body, nameOf(path), askedBy, signal)
}

/** Finds a file by id or name, the newest of that name; one found only among the uploads is added to the library. */
async function fileHere ({ services: { queue, files }, askedBy, caller, signal }: Context, wanted: string):
Promise<SlicedFile> {
  const known = await queue.store.files()
  const found = known.find(({ id }) => id === wanted) ?? known.find(({ name }) => name === wanted)
  if (found) return found
  if (plainName(wanted) !== wanted) throw new NoSlicedFile(wanted)
  const path = await files.hostFiles(caller).stored(wanted).catch(() => { throw new NoSlicedFile(wanted) })
  return await queue.storeFile(createReadStream(path), wanted, askedBy, signal)
}

export const listFiles = operation({
  name: 'queue.listFiles',
  summary: 'Sliced files of the library, newest first',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ files: Type.Array(FileView) }),
  run: async ({ services: { queue } }) => ({ files: (await queue.store.files()).map(queue.fileView) })
})

export const fetchFile = operation({
  name: 'queue.fetchFile',
  summary: 'Copy a sliced file from a card into the library',
  effect: 'local',
  record: true,
  runsHere: true, // the library belongs to this host
  input: Type.Object({ path: Type.String({ minLength: 1, maxLength: 500, description: 'On the card' }) }),
  output: FileView,
  errors: [...CARD_ERRORS, FileMissing, NotSliced, LibraryFull, SlicedFileTooLarge],
  async run (context, { path }) {
    const { services: { queue }, session } = context
    const file = await fileFrom(context, { file: path, card: session.name })
    queue.runner.wake()
    return queue.fileView(file)
  }
})

export const deleteFile = operation({
  name: 'queue.deleteFile',
  summary: 'Delete a sliced file of the library',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'The file is deleted from this host for good; copies on cards stay.',
  input: Type.Object({ id: FileId }),
  output: Type.Object({ id: Type.String() }),
  errors: [NoSlicedFile, SlicedFileNeeded],
  async run ({ services: { queue } }, { id }) {
    const { jobs, files } = await queue.store.snapshot()
    const file = files.get(id)
    if (!file) throw new NoSlicedFile(id)
    const needing = jobs.find(({ alternatives }) => alternatives.some(alternative => alternative.file === id))
    if (needing) throw new SlicedFileNeeded(file.name, needing.name)
    await queue.store.removeFile(id)
    await queue.library.remove(id)
    return { id }
  }
})

export const setParts = operation({
  name: 'queue.setParts',
  summary: 'How many parts a plate of a sliced file gives',
  effect: 'write',
  scope: 'daemon',
  consequence: 'The parts of its jobs are counted anew; jobs keep their copies.',
  input: Type.Object({
    id: FileId,
    plate: Type.Integer({ minimum: 1 }),
    parts: Type.Union([Type.Integer({ minimum: 1, maximum: MOST_ON_PLATE }), Type.Null()], {
      description: 'null: as many as objects lie on the plate, without wipe towers'
    })
  }),
  output: FileView,
  errors: [NoSlicedFile],
  async run ({ services: { queue } }, { id, plate, parts }) {
    const files = await queue.store.files()
    const file = files.find(known => known.id === id)
    if (!file?.plates.some(({ number }) => number === plate)) throw new NoSlicedFile(`${id}, plate ${plate}`)
    if (!await queue.store.setParts(id, plate, parts ?? undefined)) throw new NoSlicedFile(id)
    queue.runner.wake()
    const changed = (await queue.store.files()).find(known => known.id === id)
    return queue.fileView(changed ?? file)
  }
})

export const readPicture = operation({
  name: 'queue.readPicture',
  summary: 'Thumbnail of a plate of a sliced file',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ id: FileId, plate: Type.Optional(Type.Integer({ minimum: 1, default: 1 })) }),
  output: Type.Object({ png: Type.Unsafe<Buffer>({}) }),
  async run ({ services: { queue } }, { id, plate = 1 }) {
    const png = await queue.library.picture(id, plate)
    if (!png) throw new NotFound('The file has no thumbnail of this plate')
    return { png }
  }
})
