// Renders only the visible part of a long list.

import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { visibleRows } from './visible-rows.js'

/**
 * Follows what is visible of a list, in the page or in an element that scrolls.
 * @param {{ current: any }} list @param {readonly number[]} heights of all rows, in pixels
 * @param {{ current: any }} [scroller] left out: the page
 */
export function useVisibleRows (list, heights, scroller) {
  const ends = useMemo(() => {
    let end = 0
    return heights.map(height => (end += height))
  }, [heights])
  const [rows, setRows] = useState(() => visibleRows(ends, 0, globalThis.innerHeight))
  useLayoutEffect(() => {
    let frame = 0
    const see = () => {
      frame = 0
      if (!list.current) return
      const top = (scroller?.current?.getBoundingClientRect().top ?? 0) - list.current.getBoundingClientRect().top
      const next = visibleRows(ends, top, top + (scroller?.current?.clientHeight ?? globalThis.innerHeight))
      setRows(known => Object.keys(next).every(name => known[name] === next[name]) ? known : next)
    }
    const later = () => { frame ||= requestAnimationFrame(see) }
    see()
    const target = scroller?.current ?? document
    target.addEventListener('scroll', later, { passive: true })
    globalThis.addEventListener('resize', later)
    return () => {
      cancelAnimationFrame(frame)
      target.removeEventListener('scroll', later)
      globalThis.removeEventListener('resize', later)
    }
  }, [ends])
  return rows.to > ends.length ? visibleRows(ends, 0, globalThis.innerHeight) : rows
}
