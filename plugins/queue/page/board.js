// The board: what needs someone, what prints, what is next. Only the visible rows exist.

import { number, t } from 'shell'
import { html, useEffect, useMemo, useRef, useState } from './lib.js'
import { jobsOf } from './moves.js'
import { GroupRow, JobRow } from './rows.js'
import { useVisibleRows } from '../../shell/page/use-visible-rows.js'

/** Heights of rows in rem: section, group, job of a group; and on phones. */
const HEIGHTS = { wide: { section: 3.4, group: 5.6, job: 3.1 }, narrow: { section: 3.4, group: 7.4, job: 3.8 } }
const NARROW = '(max-width: 47.9rem)'
/** Jobs of a group that are loaded together. */
const CHUNK = 50

function useHeights () {
  const read = () => {
    const rem = Number.parseFloat(globalThis.getComputedStyle(document.documentElement).fontSize)
    const { section, group, job } = globalThis.matchMedia(NARROW).matches ? HEIGHTS.narrow : HEIGHTS.wide
    return { section: Math.round(section * rem), group: Math.round(group * rem), job: Math.round(job * rem) }
  }
  const [heights, setHeights] = useState(read)
  useEffect(() => {
    const update = () => setHeights(known => {
      const next = read()
      return next.group === known.group ? known : next
    })
    globalThis.addEventListener('resize', update)
    return () => globalThis.removeEventListener('resize', update)
  }, [])
  return heights
}

/** Sections, groups and the jobs of unfolded groups, one after the other. */
function itemsOf (groups, unfolded, isOpen) {
  const items = []
  let section = ''
  groups.forEach((group, at) => {
    if (isOpen && group.section !== section) {
      section = group.section
      items.push({ kind: 'section', key: `section ${section}`, section })
    }
    items.push({ kind: 'group', key: group.key, group, at })
    if (group.jobs > 1 && unfolded.has(group.key)) {
      for (let n = 0; n < group.jobs; n++) items.push({ kind: 'job', key: `${group.key} ${n}`, group, n })
    }
  })
  return items
}

/** Jobs of unfolded groups as far as they were visible, by group and number; loaded again with each board. */
function useJobs (board, shown) {
  const [jobs, setJobs] = useState(/** @type {ReadonlyMap<string, any>} */ (new Map()))
  const wanted = [...new Set(shown.filter(({ kind }) => kind === 'job')
    .map(({ group, n }) => `${group.key} ${Math.floor(n / CHUNK) * CHUNK}`))]
  useEffect(() => {
    let isOver = false
    for (const chunk of wanted) {
      const [key, from] = chunk.split(' ')
      jobsOf(key, Number(from), CHUNK).then(list => {
        if (isOver) return
        setJobs(known => {
          const next = new Map(known)
          list.forEach((job, at) => next.set(`${key} ${Number(from) + at}`, { ...job, place: Number(from) + at + 1 }))
          return next
        })
      }, () => {}) // the next board tries again
    }
    return () => { isOver = true }
  }, [board, wanted.join()])
  return jobs
}

const countOf = (groups, section) =>
  groups.reduce((sum, group) => sum + (group.section === section ? group.jobs : 0), 0)

/**
 * @param {{ board: any, chosen: any, acts: any, onEnd: () => void }} props `onEnd`: the end of what is loaded is near
 */
export function Board ({ board, chosen, acts, onEnd }) {
  const { groups } = board
  const isOpen = board.state === 'open'
  const [unfolded, setUnfolded] = useState(/** @type {ReadonlySet<string>} */ (new Set()))
  const list = useRef(/** @type {any} */ (null))
  const heights = useHeights()
  const items = useMemo(() => itemsOf(groups, unfolded, isOpen), [groups, unfolded])
  const each = useMemo(() => items.map(({ kind }) => heights[kind]), [items, heights])
  const { from, to, before, after } = useVisibleRows(list, each)
  const shown = items.slice(from, to)
  const jobs = useJobs(board, shown)
  useEffect(() => { if (to >= items.length && board.more > 0 && isOpen) onEnd() }, [to, items.length])
  const all = {
    ...acts,
    unfold: ({ key }) => setUnfolded(known =>
      new Set(known.has(key) ? [...known].filter(one => one !== key) : [...known, key]))
  }
  const draw = (item, at) => {
    const style = { height: `${heights[item.kind]}px` }
    const place = { style, 'aria-setsize': items.length, 'aria-posinset': from + at + 1 }
    if (item.kind === 'section') {
      return html`<li class="section" key=${item.key} ...${place}><h2>${t(`queue.section.${item.section}`)}</h2>
        <span class="faint">${number(countOf(groups, item.section))}</span></li>`
    }
    if (item.kind === 'job') {
      const job = jobs.get(item.key)
      return html`<${JobRow} key=${item.key} job=${job} place=${place} isChosen=${chosen.has(job?.id) || chosen.has(item.group.key)} acts=${all} />`
    }
    return html`<${GroupRow} key=${item.key} rows=${groups} at=${item.at} place=${place} isOpen=${isOpen}
      isUnfolded=${unfolded.has(item.key)} isChosen=${chosen.has(item.key)} acts=${all} />`
  }
  return html`<ol class=${`rows jobs${chosen.size > 0 ? ' choosing' : ''}`} ref=${list} aria-label=${t('queue.jobs')}
    style=${{ paddingTop: `${before}px`, paddingBottom: `${after}px` }}>${shown.map(draw)}</ol>`
}
