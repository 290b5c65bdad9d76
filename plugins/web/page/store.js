import { useEffect, useState } from './lib.js'

/**
 * An observable value for components.
 * @template T
 * @param {T} initial
 */
export function createStore (initial) {
  let value = initial
  /** @type {Set<() => void>} */
  const followers = new Set()
  return {
    get: () => value,
    /** @param {T} next */
    set (next) {
      if (Object.is(next, value)) return
      value = next
      for (const follow of [...followers]) follow()
    },
    /** @param {Partial<T>} part */
    patch (part) { this.set({ ...value, ...part }) },
    /** @param {() => void} follow @returns {() => void} */
    subscribe (follow) {
      followers.add(follow)
      return () => { followers.delete(follow) }
    }
  }
}

/**
 * The current value; the component is rendered again when it changes.
 * @template T
 * @param {ReturnType<typeof createStore<T>>} store
 */
export function useStore (store) {
  const [, redraw] = useState(0)
  useEffect(() => store.subscribe(() => redraw(count => count + 1)), [store])
  return store.get()
}
