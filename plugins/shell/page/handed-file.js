// A file on its way from one page, or from another application, to the page that prints it.

const STORE = 'file'
/** What another application shared or a person dropped. Any site can put a file there: it sends a form to /share. */
const WAITING = 'file'
/** What a person chose a place for, with a mark that only their tab has. */
const CHOSEN = 'chosen'
const MARK = 'prnd-handed-file'

/** @param {IDBRequest} request @returns {Promise<any>} */
const answerOf = request => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result)
  request.onerror = () => reject(request.error)
})

async function open () {
  const request = globalThis.indexedDB.open('prnd-handed-file', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return /** @type {IDBDatabase} */ (await answerOf(request))
}

/** @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest} use */
async function inStore (mode, use) {
  const database = await open()
  try {
    return await answerOf(use(database.transaction(STORE, mode).objectStore(STORE)))
  } finally { database.close() }
}

/** Replaces the file that waits. @param {File} file */
export const handOver = file => inStore('readwrite', store => store.put(file, WAITING))

/** The file that waits; undefined for none. @returns {Promise<File | undefined>} */
export const waitingFile = () => inStore('readonly', store => store.get(WAITING)).catch(() => undefined)

/**
 * Lets the next page of this tab take this file. Only for a click of a person who sees the file's name.
 * @param {File} file
 */
export async function chooseFile (file) {
  const mark = globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-')
  await inStore('readwrite', store => store.put({ mark, file }, CHOSEN))
  globalThis.sessionStorage.setItem(MARK, mark)
}

/**
 * Takes the file that was chosen in this tab, if this page was opened with `?file=handed`. A file that merely waits is
 * not taken: another site may have sent it, and pages send what they take to a printer.
 * @returns {Promise<File | undefined>}
 */
export async function takeFile () {
  const address = new URL(location.href)
  if (address.searchParams.get('file') !== 'handed') return undefined
  address.searchParams.delete('file')
  history.replaceState(null, '', address)
  const mark = globalThis.sessionStorage.getItem(MARK)
  globalThis.sessionStorage.removeItem(MARK)
  if (mark === null) return undefined
  const chosen = await inStore('readonly', store => store.get(CHOSEN)).catch(() => undefined)
  if (chosen?.mark !== mark) return undefined
  for (const key of [CHOSEN, WAITING]) await inStore('readwrite', store => store.delete(key)).catch(() => {})
  return chosen.file
}
