import { Type } from 'typebox'
import { BadInput, operation, type PrinterContext } from '../../../core/index.js'
import { CardFailed, FileInUse, FileMissing, HostPathClosed, HostPathRefused, OwnFilesOnly, TransferCancelled } from '../errors.js'
import { CardPath, Contents } from '../schemas.js'
import { plainName } from '../host-paths.js'
import { contentsAfter } from './change.js'
import { fetchFile, sendFile } from './receive.js'

const HostPath = Type.String({ description: 'Path on the host that runs this service; without a folder: in its files folder' })

const tracked = ({ signal, progress }: PrinterContext, words: string) =>
  ({ signal, onProgress: ({ bytes, total }: { bytes: number, total: number }) => progress(bytes, total, words) })

async function put (context: PrinterContext, hostPath: string, path: string): Promise<Contents> {
  const { session, services: { files }, signal } = context
  if (session.remote !== undefined) return await sendFile(context, hostPath, path)
  await files.upload(session, hostPath, path, tracked(context, `Uploading ${path}`))
  return await contentsAfter(() => files.list(session, { signal }))
}

const consequence = 'Copies the file to the card and replaces a file of that path. Missing folders are made.'

export const uploadFile = operation({
  name: 'files.upload',
  summary: 'Copy a file of the host to the card',
  effect: 'destructive',
  runsHere: true, // the file is one of this host
  consequence,
  input: Type.Object({ source: HostPath, path: CardPath }),
  output: Contents,
  errors: [CardFailed, HostPathRefused, HostPathClosed, OwnFilesOnly, FileInUse, FileMissing, TransferCancelled],
  run: async (context, { source, path }) =>
    await put(context, await context.services.files.hostFiles(context.caller).paths.source(source), path)
})

export const uploadStored = operation({
  name: 'files.uploadStored',
  summary: 'Copy a file of the uploads folder to the card',
  effect: 'destructive',
  runsHere: true, // the file is one of this host
  consequence,
  input: Type.Object({
    source: Type.String({ description: 'Name in the uploads folder' }),
    path: CardPath,
    toPrint: Type.Optional(Type.Boolean({ default: false, description: 'Refused when nothing in it can be printed' }))
  }),
  output: Contents,
  errors: [CardFailed, FileInUse, FileMissing, TransferCancelled],
  async run (context, { source, path, toPrint = false }) {
    if (plainName(source) !== source) throw new BadInput('invalid src filename')
    const { files } = context.services
    const hostPath = await files.hostFiles(context.caller).stored(source)
    if (toPrint) await files.checkPrintable(hostPath, source)
    return await put(context, hostPath, path)
  }
})

export const downloadFile = operation({
  name: 'files.download',
  summary: 'Copy a file from the card to the host',
  effect: 'destructive',
  runsHere: true, // the file is one of this host
  consequence: 'Writes the file to the given path on the host and replaces what is there.',
  input: Type.Object({ path: CardPath, target: HostPath }),
  output: Type.Object({ target: Type.String() }),
  errors: [CardFailed, HostPathRefused, HostPathClosed, OwnFilesOnly, FileMissing, TransferCancelled],
  async run (context, { path, target }) {
    const { files } = context.services
    const hostPath = await files.hostFiles(context.caller).paths.target(target)
    if (context.session.remote !== undefined) await fetchFile(context, path, hostPath)
    else await files.download(context.session, path, hostPath, tracked(context, `Downloading ${path}`))
    return { target: hostPath }
  }
})
