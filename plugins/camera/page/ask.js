// Requests to the stream server.

const ANSWER_MS = 8000

export const ask = async path => {
  const response = await fetch(path, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) })
  if (!response.ok) throw new Error('HTTP ' + response.status)
  return response
}

/**
 * Runs `work` repeatedly while the page is visible.
 * @param {number} ms @param {() => unknown} work @param {(error: any) => void} [failed]
 */
export const every = (ms, work, failed = () => {}) => {
  const turn = async () => {
    try { if (!document.hidden) await work() } catch (error) { failed(error) }
    setTimeout(turn, ms)
  }
  turn()
}
