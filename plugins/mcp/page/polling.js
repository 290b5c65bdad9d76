// Asking again and again, while somebody looks.

const wait = ms => new Promise(resolve => { setTimeout(resolve, ms) })

/** Resolves once the page is on the screen. */
const seen = () => new Promise(resolve => {
  const observer = new IntersectionObserver(entries => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return
    observer.disconnect()
    resolve(undefined)
  })
  observer.observe(document.documentElement)
})

/**
 * @param {() => Promise<void>} work what it throws is not heard
 * @param {number} everyMs between the end of one and the begin of the next
 * @param {number} forMs a page that was left open does not go on for ever
 * @param {() => boolean} isOver
 */
export async function whileSeen (work, everyMs, forMs, isOver) {
  const end = Date.now() + forMs
  while (Date.now() < end && !isOver()) {
    await seen()
    await work().catch(() => {})
    await wait(everyMs)
  }
}
