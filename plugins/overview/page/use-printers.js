import { call, follow } from 'shell'
import { useEffect, useState } from './lib.js'

const REFRESH_MS = 60_000

/** All printers by name, kept up to date; updates are batched and rendered once per frame. */
export function usePrinters () {
  const [printers, setPrinters] = useState(/** @type {Map<string, any>} */ (new Map()))
  const [link, setLink] = useState({ open: false, problem: '', asked: false })
  useEffect(() => {
    let news = new Map()
    let frame = 0
    const draw = () => {
      frame = 0
      const latest = news
      news = new Map()
      setPrinters(known => new Map([...known, ...latest]))
    }
    const load = () => call('GET', 'fleet').then(
      answer => {
        setPrinters(new Map(answer.printers.map(one => [one.name, one])))
        setLink(known => ({ ...known, problem: '', asked: true }))
      },
      error => setLink(known => ({ ...known, problem: error.message })))
    void load()
    const timer = setInterval(() => { if (!document.hidden) void load() }, REFRESH_MS)
    const leave = follow({
      topics: ['fleet'],
      onMessage ({ topic, printer, data }) {
        if (topic !== 'fleet') return
        news.set(printer, data)
        frame ||= requestAnimationFrame(draw)
      },
      onLink (open) { setLink(known => ({ ...known, open })); if (open) void load() }
    })
    return () => { leave(); clearInterval(timer); cancelAnimationFrame(frame) }
  }, [])
  return { printers, link }
}
