// Lines over time, drawn by uPlot: a canvas has no colours of the page, so they are looked up.

import { clock, number } from 'shell'
import { html, useEffect, useRef, useState, useWidth } from './lib.js'

const HEIGHT = 300
const LEFT = 52
const BOTTOM = 30
const TICK_SPACE = 84
/** Between ticks, whose text has no seconds. */
const MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440]
const COLORS = { tool: '--tool', tool_1: '--warn', bed: '--bed', chamber: '--chamber' }

/** A custom property as a colour of the present theme. */
function colorOf (place, property) {
  place.style.color = `var(${property})`
  const { color } = window.getComputedStyle(place)
  place.style.color = ''
  return color
}

/** Changes whenever the theme does. */
function useTheme () {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const update = () => setTurn(before => before + 1)
    const dark = window.matchMedia('(prefers-color-scheme: dark)')
    const observer = new window.MutationObserver(update)
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    dark.addEventListener('change', update)
    return () => {
      observer.disconnect()
      dark.removeEventListener('change', update)
    }
  }, [])
  return turn
}

/** A finger moves the cursor as the mouse does; the page still scrolls up and down. */
function followTouch (plot) {
  plot.over.addEventListener('touchmove', event => {
    const { left, top } = plot.over.getBoundingClientRect()
    const [touch] = event.touches
    plot.setCursor({ left: touch.clientX - left, top: touch.clientY - top })
  }, { passive: true })
}

const tableOf = points => [points.map(([at]) => at), points.map(([, value]) => value)]

function optionsOf ({ place, width, lines, marks, onCursor }) {
  const color = property => colorOf(place, property)
  const axis = { stroke: color('--faint'), font: `12px ${window.getComputedStyle(place).fontFamily}`, ticks: { show: false } }
  const grid = { stroke: color('--line'), width: 1 }
  const tones = { high: color('--bad'), other: color('--warn') }
  const ratio = window.devicePixelRatio
  const drawMarks = ({ ctx, bbox, valToPos }) => {
    ctx.save()
    ctx.setLineDash([3 * ratio, 3 * ratio])
    ctx.lineWidth = ratio
    for (const { at, severity } of marks) {
      const x = Math.round(valToPos(at, 'x', true))
      if (x < bbox.left || x > bbox.left + bbox.width) continue
      ctx.strokeStyle = severity === 'high' ? tones.high : tones.other
      ctx.beginPath()
      ctx.moveTo(x, bbox.top)
      ctx.lineTo(x, bbox.top + bbox.height)
      ctx.stroke()
    }
    ctx.restore()
  }
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 8 } },
    scales: { y: { range: (_, least, most) => [Math.min(0, least), Math.max(most * 1.06, 40)] } },
    axes: [
      {
        ...axis,
        size: BOTTOM,
        space: TICK_SPACE,
        incrs: MINUTES.map(minutes => minutes * 60),
        grid: { show: false },
        values: (_, splits) => splits.map(at => clock(at * 1000))
      },
      { ...axis, size: LEFT, grid, values: (_, splits) => splits.map(value => `${number(value)} °C`) }
    ],
    series: [{}, ...lines.flatMap(({ name }) => [
      { stroke: color(COLORS[name]), width: 2, spanGaps: true, points: { show: false } },
      { stroke: color(COLORS[name]), width: 1, dash: [4, 4], spanGaps: true, points: { show: false } }
    ])],
    hooks: {
      ready: [followTouch],
      draw: [drawMarks],
      setCursor: [plot => onCursor(plot.cursor.left >= 0 ? plot.posToVal(plot.cursor.left, 'x') : undefined)]
    }
  }
}

/**
 * @param {any} props `lines` from warm-model.js, `marks` with a time in s, `onCursor` gets the time under the cursor
 */
export function Plot ({ lines, marks, onCursor }) {
  const [frame, width] = useWidth()
  const place = useRef(/** @type {any} */ (null))
  const theme = useTheme()
  useEffect(() => {
    if (width === 0 || lines.length === 0) return undefined
    let plot
    let isWanted = true
    void import('uplot').then(({ default: UPlot }) => {
      if (!isWanted) return
      const tables = lines.flatMap(({ points, targets }) => [tableOf(points), tableOf(targets)])
      const options = optionsOf({ place: place.current, width, lines, marks, onCursor })
      plot = new UPlot(options, UPlot.join(tables), place.current)
    })
    return () => {
      isWanted = false
      plot?.destroy()
    }
  }, [lines, marks, width, theme])
  return html`<div class="plot" ref=${frame} aria-hidden="true"><div ref=${place}></div></div>`
}
