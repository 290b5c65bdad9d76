// Polling while the page is visible.

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
 * @param {() => Promise<void>} work its rejections are ignored
 * @param {number} everyMs pause between the end of one run and the start of the next
 * @param {number} forMs limit for a page that is left open
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
