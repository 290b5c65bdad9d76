import { t } from 'shell'
import { call, reasonOf } from './api.js'
import { createStore } from './store.js'
import { currentToken } from './token.js'

/** Transfers that are under way: `[{ id, name, text, part }]`; `part` from 0 to 1, undefined while nobody knows. */
export const uploads = createStore(/** @type {any[]} */ ([]))
let count = 0

const patch = (id, part) => uploads.set(uploads.get().map(upload => upload.id === id ? { ...upload, ...part } : upload))

/** To the host; only this older interface of browsers says how far it is. */
const toHost = (file, onPart) => new Promise((resolve, reject) => {
  const form = new FormData()
  form.append('myFile', file, file.name)
  const request = new window.XMLHttpRequest()
  request.open('POST', 'api/upload_file_to_host')
  if (currentToken() !== '') request.setRequestHeader('authorization', `Bearer ${currentToken()}`)
  request.upload.onprogress = ({ loaded, total }) => onPart(total > 0 ? loaded / total : undefined)
  request.onerror = () => reject(new Error(t('printer.unreachable')))
  request.onload = () => request.status < 400
    ? resolve(JSON.parse(request.responseText).filename ?? file.name)
    : reject(new Error(reasonOf(request.status, request.responseText)))
  request.send(form)
})

/** How far the second way is, where the service tells. */
function watchCard (id, dest) {
  const timer = setInterval(async () => {
    const { transfers = [] } = await call('file_transfers').catch(() => ({}))
    const { bytes = 0, total = 0 } = transfers.find(({ path, status }) => path === dest && status === 'running') ?? {}
    if (total > 0) patch(id, { part: bytes / total })
  }, 1_000)
  return () => clearInterval(timer)
}

/**
 * Sends a file to the host and from there to the card.
 * @param {File} file @param {string} folder with `/` at the end
 * @param {boolean} tells whether the service tells how far transfers are
 */
export async function upload (file, folder, tells) {
  const id = ++count
  uploads.set([...uploads.get(), { id, name: file.name, text: t('printer.files.to_service'), part: 0 }])
  let ended = () => {}
  try {
    const src = await toHost(file, part => patch(id, { part }))
    const dest = folder + src
    patch(id, { text: t('printer.files.to_printer'), part: undefined })
    if (tells) ended = watchCard(id, dest)
    return await call('upload_file_to_printer', { src, dest }, { method: 'post' })
  } finally {
    ended()
    uploads.set(uploads.get().filter(other => other.id !== id))
  }
}
