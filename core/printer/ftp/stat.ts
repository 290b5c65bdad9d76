import { FTPError, type Client } from 'basic-ftp'

/** The reply of a server that finds nothing at a path, or refuses what was asked for there. */
export const isMissing = (error: unknown): error is FTPError =>
  error instanceof FTPError && [450, 550].includes(error.code)

/** @returns undefined when there is no such file, or the server cannot tell */
export async function sizeOf (client: Client, path: string): Promise<number | undefined> {
  try {
    return await client.size(path)
  } catch (error) {
    if (error instanceof FTPError) return undefined
    throw error
  }
}

export async function isFolder (client: Client, path: string): Promise<boolean> {
  try {
    await client.cd(path)
  } catch (error) {
    if (error instanceof FTPError) return false
    throw error
  }
  await client.cd('/') // a folder that is entered may not be removable
  return true
}

/** What is at a path; undefined when nothing is, or the server does not tell. */
export async function kindOf (client: Client, path: string): Promise<'file' | 'folder' | undefined> {
  if (await isFolder(client, path)) return 'folder'
  return await sizeOf(client, path) === undefined ? undefined : 'file'
}
