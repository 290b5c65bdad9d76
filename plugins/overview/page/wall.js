// A screen in the room: no controls, readable at three metres, one page of printers after the other.

import { clock, dateTime, modelName, number, shell, t, timeText } from 'shell'
import { countsOf, headlineOf, nextFree, sorted } from './fleet-model.js'
import { Badge, html, render, useEffect, useMemo, useState } from './lib.js'
import { Drawn, Live, Part } from './picture.js'
import { usePrinters } from './use-printers.js'
import { gridOf, isLoggedOut, isOld } from './wall-model.js'

const TURN_MS = 15_000
const CLOCK_MS = 5_000
/** Height of the line above the tiles, px. */
const HEAD = 110
const RUNS = new Set(['printing', 'preparing', 'paused', 'error'])
const AWAY = new Set(['offline', 'stale', 'unwatched'])

function useRoom () {
  const measure = () => ({ width: window.innerWidth, height: window.innerHeight - HEAD })
  const [room, setRoom] = useState(measure)
  useEffect(() => {
    const update = () => setRoom(measure())
    window.addEventListener('resize', update)
    return () => window.removeEventListener('resize', update)
  }, [])
  return room
}

/** The time of day, and a count that turns the pages. */
function useTicks (ms) {
  const [ticks, setTicks] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setTicks(known => known + 1), ms)
    return () => clearInterval(timer)
  }, [])
  return ticks
}

/** Keeps the screen on while the page is visible, where the browser can. */
function useScreenOn () {
  useEffect(() => {
    const ask = () => { if (!document.hidden) /** @type {any} */ (navigator).wakeLock?.request('screen').catch(() => {}) }
    ask()
    document.addEventListener('visibilitychange', ask)
    return () => document.removeEventListener('visibilitychange', ask)
  }, [])
}

const wordsOf = ({ need, problem, job, condition, model }) => {
  if (need !== null) return problem ?? t(`fleet.need.${need}`)
  return job !== null && RUNS.has(condition) ? job.name : modelName(model)
}

const Pane = ({ printer }) => {
  const { name, condition, job, need } = printer
  const { tone } = shell.conditions[condition]
  const runs = RUNS.has(condition) && job !== null
  return html`<li class=${`pane ${tone} ${need === null ? '' : 'needs'}`}>
    <div class="sight"><${Drawn} printer=${printer} />${job !== null && !AWAY.has(condition) && (runs
      ? html`<${Live} printer=${printer} />`
      : html`<${Part} printer=${printer} />`)}</div>
    <div class="words"><h2>${name}</h2><${Badge} condition=${condition} looks=${shell.conditions} /></div>
    <p class="about">${wordsOf(printer)}</p>
    ${runs && html`<div class="far"><b>${number(Math.round(job.percent))}<small> %</small></b>
      <span>${job.ends_at ? t('fleet.until', { time: timeText(job.ends_at) }) : ''}</span></div>
      <progress max="100" value=${job.percent} aria-label=${t('fleet.progress', { printer: name })}></progress>`}
  </li>`
}

function Wall () {
  const { printers, link } = usePrinters()
  const room = useRoom()
  const turns = useTicks(TURN_MS)
  useTicks(CLOCK_MS)
  useScreenOn()
  const all = useMemo(() => sorted([...printers.values()], shell.conditions), [printers])
  const { columns, rows, pages } = gridOf(all.length, room)
  const page = turns % pages
  const shown = all.slice(page * columns * rows, (page + 1) * columns * rows)
  const counts = countsOf(all)
  const { key, count } = headlineOf(/** @type {any} */ (counts))
  const next = nextFree(all)
  const old = isOld(link, Date.now())
  const loggedOut = isLoggedOut(link)
  useEffect(() => { if (loggedOut) location.reload() }, [loggedOut])
  return html`<main class=${old ? 'wall old' : 'wall'} style=${{ '--columns': columns, '--rows': rows }}>
    <header><h1>${link.asked ? t(key, { count }) : t('wall.title')}</h1>
      ${old && html`<b class="bad" role="alert">${t('wall.old', { time: dateTime(link.at) })} ${link.problem}</b>`}
      ${next && html`<span class="next">${t('fleet.next', { time: timeText(next) })}</span>`}
      ${pages > 1 && html`<span class="next" aria-hidden="true">${page + 1} / ${pages}</span>`}
      <time>${clock(Date.now())}</time></header>
    <ul>${shown.map(printer => html`<${Pane} key=${printer.name} printer=${printer} />`)}</ul>
    <a class="leave" href="fleet">${t('wall.leave')}</a>
  </main>`
}

const place = /** @type {HTMLElement} */ (document.getElementById('wall'))
place.textContent = ''
render(html`<${Wall} />`, place)
