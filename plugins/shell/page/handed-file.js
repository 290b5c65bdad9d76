// A file on its way from one page, or from another application, to the page that prints it.

const STORE = 'file'

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
export const handOver = file => inStore('readwrite', store => store.put(file, STORE))

/** The file that waits; undefined for none. @returns {Promise<File | undefined>} */
export const waitingFile = () => inStore('readonly', store => store.get(STORE)).catch(() => undefined)

/** Takes the file that waits, if this page was opened with `?file=handed`. @returns {Promise<File | undefined>} */
export async function takeFile () {
  const address = new URL(location.href)
  if (address.searchParams.get('file') !== 'handed') return undefined
  address.searchParams.delete('file')
  history.replaceState(null, '', address)
  const file = await waitingFile()
  await inStore('readwrite', store => store.delete(STORE)).catch(() => {})
  return file
}
