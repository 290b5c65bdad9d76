import { FTPError, type Client } from 'basic-ftp'

/** 450 and 550: nothing exists at the path, or the request is refused there. */
export const isMissing = (error: unknown): error is FTPError =>
  error instanceof FTPError && [450, 550].includes(error.code)

/** @returns undefined if there is no such file, or the server cannot tell */
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
  await client.cd('/') // the current folder may not be removable
  return true
}

/** The kind of entry at a path; undefined if there is none, or the server cannot tell. */
export async function kindOf (client: Client, path: string): Promise<'file' | 'folder' | undefined> {
  if (await isFolder(client, path)) return 'folder'
  return await sizeOf(client, path) === undefined ? undefined : 'file'
}
