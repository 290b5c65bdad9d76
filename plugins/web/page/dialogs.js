import { createStore } from './store.js'

/** The open confirmation: `{ title, text, action, danger, isStale, answer }`, or undefined. */
export const question = createStore(/** @type {any} */ (undefined))
/** The visible messages: `[{ id, text, bad }]`. */
export const toasts = createStore(/** @type {{ id: number, text: string, bad: boolean }[]} */ ([]))

/**
 * Asks for confirmation before something that cannot be undone.
 * @param {{ title: string, text: string, action: string, danger?: boolean, isStale?: () => boolean }} what
 *   `isStale`: what it asks about has changed meanwhile, and a confirmation no longer counts
 * @returns {Promise<boolean>}
 */
export const confirm = what => new Promise(resolve => {
  const { isStale = () => false } = what
  question.get()?.answer(false)
  question.set({ ...what, isStale, answer (yes) { question.set(undefined); resolve(yes && !isStale()) } })
})

const SHOWN_MS = 5_000
const BAD_SHOWN_MS = 12_000
let count = 0

/** @param {number} id */
export const dismissToast = id => toasts.set(toasts.get().filter(saying => saying.id !== id))

/** @param {string} text @param {boolean} [bad] */
export function showToast (text, bad = false) {
  const id = ++count
  toasts.set([...toasts.get().slice(-3), { id, text, bad }])
  setTimeout(dismissToast, bad ? BAD_SHOWN_MS : SHOWN_MS, id)
}

/**
 * Runs something and shows its outcome.
 * @template T
 * @param {string} done message after success; empty for none
 * @param {() => Promise<T>} work
 * @returns {Promise<T | undefined>} undefined when it failed
 */
export async function attempt (done, work) {
  try {
    const result = await work()
    if (done !== '') showToast(done)
    return result ?? /** @type {T} */ (true)
  } catch (error) {
    showToast(error.message, true)
    return undefined
  }
}
