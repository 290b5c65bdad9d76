import { FTPError, type Client } from 'basic-ftp'
import { isFolder, isMissing, kindOf } from './path-kind.js'
import { SdCardError } from './sd-card-error.js'

/** Creates a folder and its missing parents. */
export async function ensureFolder (client: Client, folder: string): Promise<void> {
  if (folder === '/' || await isFolder(client, folder)) return
  const parts = folder.split('/').slice(1)
  for (let depth = 1; depth <= parts.length; depth++) await make(client, `/${parts.slice(0, depth).join('/')}`)
}

/** MKD of an existing folder fails with the same reply as one that cannot be created. */
async function make (client: Client, folder: string): Promise<void> {
  try {
    await client.send(`MKD ${folder}`)
  } catch (error) {
    if (!(error instanceof FTPError)) throw error
    const kind = await kindOf(client, folder)
    if (kind === 'file') throw new SdCardError('is_file', `${folder} is a file on the card, so there can be no folder of that name`)
    if (kind === undefined) throw isMissing(error) ? notMade(folder, error) : error
  }
}

const notMade = (folder: string, error: FTPError) => new SdCardError('not_writable', 'The printer cannot create ' +
  `${folder}/: the card may be write-protected or missing (${error.message})`, { cause: error })
