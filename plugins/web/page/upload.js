import { t } from 'shell'
import { addressOf, ApiError, call, reasonOf, takes } from './api.js'
import { createStore } from './store.js'
import { currentToken } from './token.js'

/** Transfers in progress: `[{ id, name, text, part }]`; `part` from 0 to 1, undefined while unknown. */
export const uploads = createStore(/** @type {any[]} */ ([]))
let count = 0

/** An upload without progress for this long is aborted. */
const SILENT_MS = 60_000
const NOTHING = () => {}

const patch = (id, part) => uploads.set(uploads.get().map(upload => upload.id === id ? { ...upload, ...part } : upload))

/**
 * Uses XMLHttpRequest because `fetch` reports no upload progress.
 * @param {string} path @param {XMLHttpRequestBodyInit} body
 * @param {{ type?: string, onPart?: (part: number | undefined) => void, signal?: AbortSignal }} [options]
 * @returns {Promise<any>} the answer
 */
const post = (path, body, { type, onPart = NOTHING, signal } = {}) => new Promise((resolve, reject) => {
  const request = new window.XMLHttpRequest()
  let silence = 0
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(() => request.abort(), SILENT_MS)
  }
  const stop = () => request.abort()
  request.open('POST', path)
  if (type !== undefined) request.setRequestHeader('content-type', type)
  if (currentToken() !== '') request.setRequestHeader('authorization', `Bearer ${currentToken()}`)
  request.upload.onprogress = ({ loaded, total }) => { listen(); onPart(total > 0 ? loaded / total : undefined) }
  request.onerror = request.onabort = () => reject(new ApiError(0, t('printer.unreachable')))
  request.onload = () => request.status < 400
    ? resolve(JSON.parse(request.responseText))
    : reject(new ApiError(request.status, reasonOf(request.status, request.responseText)))
  request.onloadend = () => { clearTimeout(silence); signal?.removeEventListener('abort', stop) }
  signal?.addEventListener('abort', stop)
  listen()
  request.send(body)
})

async function toHost (file, options) {
  const form = new FormData()
  form.append('myFile', file, file.name)
  const { filename = file.name } = await post('api/upload_file_to_host', form, options)
  return filename
}

/** Uploads to the queue's library. @param {File} file @returns {Promise<any>} the stored file */
export const toLibrary = file =>
  post(addressOf('api/queue/files', { filename: file.name }), file, { type: 'application/octet-stream' })

/** Follows the transfer from the service to the card, if the service reports its progress. */
function watchCard (dest, to, onPart) {
  const timer = setInterval(async () => {
    const { transfers = [] } = await call('file_transfers', to).catch(() => ({}))
    const { bytes = 0, total = 0 } = transfers.find(({ path, status }) => path === dest && status === 'running') ?? {}
    if (total > 0) onPart(bytes / total)
  }, 1_000)
  return () => clearInterval(timer)
}

/** Makes the service refuse a file that cannot be printed before it reaches the card, if it supports that. */
const toPrint = () => takes('upload_file_to_printer', 'to_print') ? { to_print: true } : {}

/**
 * Sends a file to the host and from there to the card.
 * @param {File} file @param {string} folder with `/` at the end
 * @param {{ printer: string, tells: boolean, prints?: boolean, signal?: AbortSignal,
 *   onStep?: (step: { text: string, part: number | undefined }) => void }} options
 *   `printer`: whose card it is, since another may be chosen meanwhile; `tells`: the service reports the progress of
 *   transfers
 * @returns {Promise<{ dest: string, tree: any }>} its path, and the card's contents now
 */
export async function upload (file, folder, { printer, tells, prints = false, onStep = NOTHING, signal }) {
  const id = ++count
  let text = t('printer.files.to_service')
  const step = part => { patch(id, { text, part }); onStep({ text, part }) }
  const to = takes('upload_file_to_printer', 'printer') ? { printer } : {}
  uploads.set([...uploads.get(), { id, name: file.name, text, part: 0 }])
  let ended = NOTHING
  try {
    const src = await toHost(file, { onPart: step, signal })
    signal?.throwIfAborted()
    const dest = folder + src
    text = t('printer.files.to_printer')
    step(undefined)
    if (tells) ended = watchCard(dest, to, step)
    const tree = await call('upload_file_to_printer', { src, dest, ...to, ...(prints && toPrint()) },
      { method: 'post', ...(signal && { signal }) })
    return { dest, tree }
  } finally {
    ended()
    uploads.set(uploads.get().filter(other => other.id !== id))
  }
}
