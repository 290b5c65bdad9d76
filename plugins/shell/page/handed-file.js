// A file on its way from one page, or from another application, to the page that prints it.

const STORE = 'file'
/** What another application shared or a person dropped. Any site can put a file there: it sends a form to /share. */
const WAITING = 'file'
/** What a person chose a place for: followed by a mark that only their tab has, which begins with the time. */
const CHOSEN = 'chosen'
/** Nobody comes for it any more. */
const OLD_MS = 3_600_000
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
  const mark = `${Date.now()} ${globalThis.crypto.getRandomValues(new Uint32Array(4)).join('-')}`
  await dropOld().catch(() => {})
  await inStore('readwrite', store => store.put(file, `${CHOSEN} ${mark}`))
  globalThis.sessionStorage.setItem(MARK, mark)
}

/** Removes what was chosen in a tab that never came for it. */
async function dropOld () {
  const keys = await inStore('readonly', store => store.getAllKeys())
  const isOld = key => Date.now() - Number(key.split(' ')[1] ?? 0) > OLD_MS
  for (const key of keys) if (key.startsWith(CHOSEN) && isOld(key)) await inStore('readwrite', store => store.delete(key))
}

/** @param {File} one @param {File | undefined} other */
const isSame = (one, other) => other !== undefined && one.name === other.name && one.size === other.size &&
  one.lastModified === other.lastModified

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
  const key = `${CHOSEN} ${mark}`
  const file = await inStore('readonly', store => store.get(key)).catch(() => undefined)
  if (file === undefined) return undefined
  // Another file, which was shared meanwhile, goes on waiting.
  const done = isSame(file, await waitingFile()) ? [key, WAITING] : [key]
  for (const one of done) await inStore('readwrite', store => store.delete(one)).catch(() => {})
  return file
}
