// Uploads of files, which tell how far they are.

import { ApiError, refusalText } from './call.js'
import { shell, t } from './shell.js'

/** An upload without progress for this long is aborted. */
const SILENT_MS = 60_000

/**
 * Sends a file as it is. Uses XMLHttpRequest because `fetch` reports no upload progress.
 * @param {string} path below `api`; the file's name becomes the parameter `filename` @param {File} file
 * @param {{ onProgress?: (part: number) => void, signal?: AbortSignal }} [options] progress from 0 to 1
 * @returns {Promise<any>} the answer @throws {ApiError}
 */
export const upload = (path, file, { onProgress, signal } = {}) => new Promise((resolve, reject) => {
  const request = new globalThis.XMLHttpRequest()
  let silence = 0
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(() => request.abort(), SILENT_MS)
  }
  const fail = () => reject(new ApiError(0, t('shell.unreachable')))
  request.upload.onprogress = ({ loaded, total }) => { listen(); onProgress?.(total > 0 ? loaded / total : 0) }
  request.onerror = request.onabort = fail
  request.onloadend = () => clearTimeout(silence)
  request.onload = () => {
    let body
    try { body = JSON.parse(request.responseText) } catch { return fail() }
    if (request.status === 200) return resolve(body)
    reject(new ApiError(request.status, refusalText(body, `HTTP ${request.status}`), body))
  }
  signal?.addEventListener('abort', () => request.abort(), { once: true })
  request.open('POST', `${shell.base}api/${path}?${new URLSearchParams({ filename: file.name })}`)
  request.setRequestHeader('content-type', 'application/octet-stream')
  listen()
  request.send(file)
})
