import { SdCardError } from './sd-card-error.js'

// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/
/** Characters that FAT and exFAT do not allow in names. */
const IMPOSSIBLE = /[<>:"\\|?*]/
const LONGEST_NAME_BYTES = 255
const LONGEST_PATH_BYTES = 1024

/** Quotes text for a message, with control characters escaped. */
const shown = (text: string) => JSON.stringify(text.slice(0, 80))

/**
 * An absolute path on the card with single slashes and none at the end; the root is `/`.
 * @throws SdCardError bad_path for control characters, `..` and what is too long
 */
export function cardPath (text: string): string {
  if (CONTROL.test(text)) throw new SdCardError('bad_path', `The path ${shown(text)} holds control characters`)
  const parts = text.split('/').filter(part => part !== '' && part !== '.')
  if (parts.includes('..')) throw new SdCardError('bad_path', `The path ${shown(text)} must not contain '..'`)
  const path = `/${parts.join('/')}`
  if (Buffer.from(path).toString() !== path) throw new SdCardError('bad_path', `The path ${shown(text)} is not valid text`)
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES) throw new SdCardError('bad_path', 'The path is too long')
  return path
}

/**
 * The path of a new file or folder: its name must be valid on every card.
 * @throws SdCardError bad_path
 */
export function newCardPath (text: string): string {
  const path = cardPath(text)
  const name = nameOf(path)
  if (name === '/') throw new SdCardError('bad_path', 'A name is missing')
  if (IMPOSSIBLE.test(name)) throw new SdCardError('bad_path', `The name ${shown(name)} holds one of < > : " \\ | ? *`)
  if (/[ .]$/.test(name)) throw new SdCardError('bad_path', `The name ${shown(name)} ends in a space or a dot`)
  if (Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    throw new SdCardError('bad_path', `The name is longer than ${LONGEST_NAME_BYTES} bytes`)
  }
  return path
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || '/'
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/'
export const below = (folder: string, name: string): string => folder === '/' ? `/${name}` : `${folder}/${name}`
