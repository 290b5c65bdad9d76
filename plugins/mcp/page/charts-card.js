import { callTool, connect, failureOf } from './host.js'
import { element, faint, show, warning } from './dom.js'
import { whileSeen } from './polling.js'

const EVERY_MS = 30_000
const FOR_MS = 60 * 60_000
/** More pages than there can be. */
const MOST_PAGES = 20

let printer = ''
let isOver = false

/** A chart as elements; text that is not SVG is left out. */
function drawing (text) {
  const { documentElement: svg } = new DOMParser().parseFromString(text, 'image/svg+xml')
  return svg.localName === 'svg' && svg.querySelector('parsererror') === null ? document.importNode(svg, true) : undefined
}

function draw (panels, ts) {
  show(
    element('header', {}, element('h2', {}, `Charts of ${printer}`), faint(ts)),
    element('div', { className: 'panels' }, ...panels.map(drawing).filter(svg => svg !== undefined)))
}

/** Collects all charts: a result holds only as many as an agent can read, and a cursor to the next ones. */
async function whole ({ panels = [], ts = '', next_cursor: next }) {
  const all = [...panels]
  for (let page = 0; next !== undefined && page < MOST_PAGES; page++) {
    const { structuredContent } = await callTool('render_charts_panels', { name: printer, cursor: next })
    all.push(...structuredContent.panels)
    next = structuredContent.next_cursor
  }
  draw(all, ts)
}

let begin = answer => answer
const answered = new Promise(resolve => { begin = resolve })

const { callsTools } = await connect('prnd charts', {
  onInput ({ name = '' }) { printer = String(name) },
  onResult: begin,
  onEnd: () => { isOver = true }
})
const first = await answered
const failure = failureOf(first)
if (failure !== undefined) show(warning(failure, 'bad'))
else if (!callsTools) draw(first.structuredContent?.panels ?? [], first.structuredContent?.ts ?? '')
else {
  await whole(first.structuredContent ?? {}).catch(error => show(warning(error.message, 'bad')))
  await whileSeen(async () => {
    const { structuredContent } = await callTool('render_charts_panels', { name: printer })
    await whole(structuredContent)
  }, EVERY_MS, FOR_MS, () => isOver)
}
