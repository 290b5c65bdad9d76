// Reads QR codes: by the browser where it can, else by a script that is loaded only then.

/** Of each picture of the camera, at most so many a second are read. */
const PAUSE_MS = 120

/** @returns {Promise<{ detect: (source: any) => Promise<readonly { rawValue: string }[]> }>} */
export async function openReader () {
  const options = { formats: ['qr_code'] }
  const Native = /** @type {any} */ (globalThis).BarcodeDetector
  const formats = await Native?.getSupportedFormats?.().catch(() => []) ?? []
  if (formats.includes('qr_code')) return new Native(options)
  const { BarcodeDetector } = await import('qr-decode')
  return new BarcodeDetector(options)
}

/** The text of a code in a picture; undefined without one. @param {any} reader @param {any} source */
export async function readCode (reader, source) {
  const [code] = await reader.detect(source).catch(() => [])
  return code?.rawValue || undefined
}

/** The text of a code in a file. @param {Blob} file */
export async function readPicture (file) {
  const picture = await createImageBitmap(file)
  try {
    return await readCode(await openReader(), picture)
  } finally {
    picture.close()
  }
}

/**
 * Reads what a video shows until a code is found.
 * @param {HTMLVideoElement} video @param {AbortSignal} signal
 * @returns {Promise<string | undefined>} undefined once it is aborted
 */
export async function readVideo (video, signal) {
  const reader = await openReader()
  while (!signal.aborted) {
    const text = video.readyState >= video.HAVE_CURRENT_DATA ? await readCode(reader, video) : undefined
    if (text !== undefined) return text
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
  }
  return undefined
}

const ADDRESS = /\/spools\/([\w%.:~-]{1,128})\/?(?:[?#].*)?$/
/** Imported spools have the ids of their list. None begins with a dot: `..` is no address of a spool. */
const ID = /^[\w-][\w.:-]{0,63}$/

/** The id of a spool in the text of a code; undefined when it is no code of a spool. @param {string} text */
export function spoolIn (text) {
  const [, found = ''] = ADDRESS.exec(text) ?? []
  try {
    const id = decodeURIComponent(found) || text.trim()
    return ID.test(id) ? id : undefined
  } catch {
    return undefined
  }
}
