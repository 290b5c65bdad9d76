// A scale that was heard: it weighs the spool that is put on it next.

import { call, t } from 'shell'
import { useEffect, useRead, useRef, useState } from './lib.js'

const EVERY_MS = 1_000

/** The next spool on the scale is not this one after all; another one that somebody chose since stays chosen. */
async function takeBack (id) {
  const { chosen } = await call('GET', 'spool_scale')
  if (chosen?.spool === id) await call('POST', 'spool_scale/next', { spool: '' })
}

/**
 * Without the dialogue it ends: the spool that is put on the scale later would be weighed as this one.
 * @param {string} id @param {() => Promise<void>} onWeighed
 */
export function useScale (id, onWeighed) {
  const { body } = useRead('spool_scale')
  const isWanted = useRef(false)
  const [since, setSince] = useState(0)
  const [problem, setProblem] = useState('')
  useEffect(() => {
    if (since === 0) return
    const look = async () => {
      const { scales, chosen } = await call('GET', 'spool_scale')
      const outcome = scales.map(one => one.outcome).find(one => one !== null && one.at >= since && one.spool === id)
      if (!isWanted.current || (outcome === undefined && chosen?.spool === id)) return
      isWanted.current = false
      setSince(0)
      if (outcome?.problem === '') await onWeighed()
      else if (outcome) setProblem(t('spools.failed', { reason: outcome.problem }))
    }
    const timer = setInterval(() => { look().catch(() => {}) }, EVERY_MS)
    return () => clearInterval(timer)
  }, [since])
  const stop = () => {
    if (!isWanted.current) return
    isWanted.current = false
    setSince(0)
    takeBack(id).catch(() => {}) // the service forgets it in some minutes
  }
  useEffect(() => stop, [])
  const begin = async () => {
    setProblem('')
    isWanted.current = true
    try {
      const now = Math.max(0, ...(await call('GET', 'spool_scale')).scales.map(({ outcome }) => outcome?.at ?? 0)) + 1
      await call('POST', 'spool_scale/next', { spool: id })
      if (isWanted.current) setSince(now)
      else await takeBack(id) // it was closed meanwhile
    } catch (error) {
      isWanted.current = false
      setProblem(t('spools.failed', { reason: /** @type {Error} */ (error).message }))
    }
  }
  return { isThere: (body?.scales.length ?? 0) > 0, isWaiting: since > 0, problem, begin, stop }
}
