import { t } from 'shell'
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
/** The user has closed the question: it is not asked again until the page is. */
let isRefused = false

/** The open question: `{ wrong, answer, refuse }`, or undefined. */
export const tokenQuestion = createStore(/** @type {any} */ (undefined))

export const currentToken = () => token

/**
 * Asks for the token, once for all calls that need it.
 * @param {string} used the refused token
 * @throws if the user gives none
 */
export function askToken (used) {
  if (used !== token) return Promise.resolve() // another token was entered meanwhile
  if (isRefused) return Promise.reject(new Error(t('printer.token.needed')))
  asking ??= new Promise((resolve, reject) => {
    const end = () => {
      tokenQuestion.set(undefined)
      asking = undefined
    }
    tokenQuestion.set({
      wrong: used !== '',
      refuse () {
        isRefused = true
        end()
        reject(new Error(t('printer.token.needed')))
      },
      answer (text) {
        token = text.trim()
        write(token)
        end()
        resolve()
      }
    })
  })
  return asking
}
