import { call, follow } from 'shell'
import { useEffect, useState } from './lib.js'

const REFRESH_MS = 60_000

/**
 * All printers by name, kept up to date; updates are batched and rendered once per frame. `link.at` is the time of the
 * last answer, and `link.status` the reason why there was none since, as HTTP has it.
 */
export function usePrinters () {
  const [printers, setPrinters] = useState(/** @type {Map<string, any>} */ (new Map()))
  const [link, setLink] = useState({ open: false, problem: '', status: 0, asked: false, at: Date.now() })
  useEffect(() => {
    let news = new Map()
    let frame = 0
    let hasAsked = false
    /** Messages about each printer are counted: an answer that was asked for before one is older. */
    let count = 0
    const heard = new Map()
    let asked = 0
    let answered = 0
    const draw = () => {
      frame = 0
      const latest = news
      news = new Map()
      setPrinters(known => new Map([...known, ...latest]))
    }
    // A stored answer would replace what was pushed since.
    const take = (list, before) => {
      const isNewer = name => (heard.get(name) ?? 0) > before
      const waiting = [...news].filter(([name]) => isNewer(name))
      news = new Map(waiting)
      setPrinters(known => new Map([
        ...list.map(one => [one.name, one]), ...[...known].filter(([name]) => isNewer(name)), ...waiting
      ]))
    }
    const load = () => {
      const before = count
      const turn = ++asked
      return call('GET', 'fleet', {}, { fresh: hasAsked }).then(
        answer => {
          hasAsked = true
          if (turn < answered) return
          answered = turn
          take(answer.printers, before)
          setLink(known => ({ ...known, problem: '', status: 0, asked: true, at: Date.now() }))
        },
        error => setLink(known => ({ ...known, problem: error.message, status: error.status ?? 0 })))
    }
    void load()
    const timer = setInterval(() => { if (!document.hidden) void load() }, REFRESH_MS)
    const leave = follow({
      topics: ['fleet'],
      onMessage ({ topic, printer, data }) {
        if (topic !== 'fleet') return
        news.set(printer, data)
        heard.set(printer, ++count)
        frame ||= requestAnimationFrame(draw)
      },
      onLink (open) { setLink(known => ({ ...known, open })); if (open) void load() }
    })
    return () => { leave(); clearInterval(timer); cancelAnimationFrame(frame) }
  }, [])
  return { printers, link }
}
