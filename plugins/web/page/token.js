import { createStore } from './store.js'

const KEY = 'prnd-token'

/** Kept as long as the tab is open; nowhere if the browser forbids that. */
function read () {
  try { return sessionStorage.getItem(KEY) ?? '' } catch { return '' }
}

function write (text) {
  try { sessionStorage.setItem(KEY, text) } catch { /* asked for again after a reload */ }
}

let token = read()
/** @type {Promise<void> | undefined} */
let asking

/** The question that stands: `{ wrong, answer }`, or undefined. */
export const tokenQuestion = createStore(/** @type {any} */ (undefined))

export const currentToken = () => token

/**
 * Asks for the token, once for all who need it.
 * @param {string} used what was refused
 */
export function askToken (used) {
  if (used !== token) return Promise.resolve() // another one was given meanwhile
  asking ??= new Promise(resolve => {
    tokenQuestion.set({
      wrong: used !== '',
      answer (text) {
        token = text.trim()
        write(token)
        tokenQuestion.set(undefined)
        asking = undefined
        resolve()
      }
    })
  })
  return asking
}
