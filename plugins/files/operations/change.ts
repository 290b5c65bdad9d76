import { Type } from 'typebox'
import { operation, StateNotCurrent, type PrinterContext } from '../../../core/index.js'
import { CardFailed, FileInUse, FileMissing } from '../errors.js'
import { CardPath, Contents } from '../schemas.js'
import { treeOf } from '../tree.js'
import type { CardEntry } from '../types.js'

/** The card after a change. A listing that fails does not undo the change. */
export async function contentsAfter (list: () => Promise<readonly CardEntry[]>): Promise<Contents> {
  const entries = await list().catch(() => undefined)
  return { contents: (entries ? treeOf(entries) : null) as Contents['contents'] }
}

const listedAnew = ({ session, services: { files }, signal }: PrinterContext): Promise<Contents> =>
  contentsAfter(() => files.list(session, { refresh: true, signal }))

export const createFolder = operation({
  name: 'files.createFolder',
  summary: 'Create a folder on the card',
  effect: 'write',
  consequence: "Creates a folder on the printer's card, with the folders above it.",
  input: Type.Object({ path: CardPath }),
  output: Contents,
  errors: [CardFailed],
  async run (context, { path }) {
    await context.services.files.makeFolder(context.session, path, { signal: context.signal })
    return await listedAnew(context)
  }
})

export const renameEntry = operation({
  name: 'files.rename',
  summary: 'Rename or move a file or folder',
  effect: 'write',
  consequence: 'The file or folder is found under its new path only; jobs and links with the old one stop working.',
  input: Type.Object({ from: CardPath, to: CardPath }),
  output: Contents,
  errors: [CardFailed, FileMissing, FileInUse, StateNotCurrent],
  async run (context, { from, to }) {
    await context.services.files.rename(context.session, from, to, { signal: context.signal })
    return await listedAnew(context)
  }
})

export const deleteEntry = operation({
  name: 'files.delete',
  summary: 'Delete a file, or a folder with everything in it',
  effect: 'destructive',
  consequence: 'The file is gone for good; with a slash at the end of the path the folder and everything in it.',
  input: Type.Object({ path: CardPath }),
  output: Contents,
  errors: [CardFailed, FileMissing, FileInUse, StateNotCurrent],
  async run ({ session, services: { files }, signal }, { path }) {
    await files.remove(session, path, { signal })
    const entries = files.cached(session)
    return { contents: (entries ? treeOf(entries) : null) as Contents['contents'] }
  }
})
