import { Type } from 'typebox'
import { BadInput, nameOf, operation, StateNotCurrent, type PrinterContext } from '../../../core/index.js'
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

const ToPrint = Type.Optional(Type.Boolean({
  description: 'true: refused when nothing in it can be printed; false: copied whatever it is; left out: models, bare G-code, ' +
    'and broken or unsliced projects are refused'
}))

/** @returns a note about the file @throws why it is not sent */
async function judged ({ services: { files } }: PrinterContext, hostPath: string, name: string,
  toPrint: boolean | undefined): Promise<string | undefined> {
  if (toPrint === undefined) return await files.judgeUpload(hostPath, name)
  if (toPrint) await files.checkPrintable(hostPath, name)
  return undefined
}

const consequence = 'Copies the file to the card and replaces a file of that path. Missing folders are made.'

export const uploadFile = operation({
  name: 'files.upload',
  summary: 'Copy a file of the host to the card',
  effect: 'destructive',
  runsHere: true, // the file is on this host
  consequence,
  input: Type.Object({ source: HostPath, path: CardPath, toPrint: ToPrint }),
  output: Contents,
  errors: [CardFailed, HostPathRefused, HostPathClosed, OwnFilesOnly, FileInUse, FileMissing, StateNotCurrent,
    TransferCancelled],
  async run (context, { source, path, toPrint }) {
    const hostPath = await context.services.files.hostFiles(context.caller).paths.source(source)
    const warning = await judged(context, hostPath, nameOf(path), toPrint)
    return { ...await put(context, hostPath, path), ...(warning !== undefined && { warning }) }
  }
})

export const uploadStored = operation({
  name: 'files.uploadStored',
  summary: 'Copy a file of the uploads folder to the card',
  effect: 'destructive',
  runsHere: true, // the file is on this host
  consequence,
  input: Type.Object({
    source: Type.String({ description: 'Name in the uploads folder' }),
    path: CardPath,
    toPrint: ToPrint
  }),
  output: Contents,
  errors: [CardFailed, FileInUse, FileMissing, StateNotCurrent, TransferCancelled],
  async run (context, { source, path, toPrint }) {
    if (plainName(source) !== source) throw new BadInput('invalid src filename')
    const { files } = context.services
    const hostPath = await files.hostFiles(context.caller).stored(source)
    const warning = await judged(context, hostPath, source, toPrint)
    return { ...await put(context, hostPath, path), ...(warning !== undefined && { warning }) }
  }
})

export const downloadFile = operation({
  name: 'files.download',
  summary: 'Copy a file from the card to the host',
  effect: 'destructive',
  runsHere: true, // the file is on this host
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
