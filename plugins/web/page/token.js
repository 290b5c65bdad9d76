import { createStore } from './store.js'

const KEY = 'prnd-token'

/** Stored until the tab is closed, or not at all if the browser forbids storage. */
function read () {
  try { return sessionStorage.getItem(KEY) ?? '' } catch { return '' }
}

function write (text) {
  try { sessionStorage.setItem(KEY, text) } catch { /* asked for again after a reload */ }
}

let token = read()
/** @type {Promise<void> | undefined} */
let asking

/** The open question: `{ wrong, answer }`, or undefined. */
export const tokenQuestion = createStore(/** @type {any} */ (undefined))

export const currentToken = () => token

/**
 * Asks for the token, once for all calls that need it.
 * @param {string} used the refused token
 */
export function askToken (used) {
  if (used !== token) return Promise.resolve() // another token was entered meanwhile
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
