import { writeFile } from 'node:fs/promises'
import { BadInput } from '../../core/index.js'

/** Writes what a command was asked to save, and replaces nothing. @throws PRN_ERR_BAD_INPUT if the file exists */
export async function writeNewFile (path: string, content: Uint8Array): Promise<void> {
  await writeFile(path, content, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new BadInput(`${path} exists already, and was not replaced: name another file`)
    throw new BadInput(`${path} cannot be written: ${error.message}`)
  })
}
