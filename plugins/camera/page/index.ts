import { createHash } from 'node:crypto'
import { PAGE_SCRIPT, PORTAL_SCRIPT } from './script.data.js'
import { PAGE_STYLE } from './style.data.js'

const PRODUCT = 'prn'

interface Asset { readonly path: string, readonly type: string, readonly text: string }

const mark = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
/** The name follows the content, so that browsers may keep it for good and never show an old one. */
const asset = (name: string, kind: 'js' | 'css', text: string): Asset => ({
  path: `/${name}-${mark(text)}.${kind}`,
  type: kind === 'js' ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
  text
})

const script = asset('live', 'js', PAGE_SCRIPT)
const portal = asset('open', 'js', PORTAL_SCRIPT)
const style = asset('live', 'css', PAGE_STYLE)
export const PAGE_ASSETS: readonly Asset[] = [script, portal, style]

/** Files of its own and nothing else. */
export const PAGE_POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'"

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escape = (text: string) => text.replaceAll(/[&<>"']/g, character => ENTITIES[character] ?? character)

const ICON = 'data:image/svg+xml,' + encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
  '<rect x="1" y="4" width="10" height="8" rx="2" fill="#0a84c6"/><path d="m11 8 4-3v6z" fill="#0a84c6"/></svg>')

const frame = (title: string, source: Asset, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark"><meta name="theme-color" content="#05070a">
<title>${escape(title)}</title>
<link rel="icon" href="${escape(ICON)}">
<link rel="stylesheet" href="${style.path.slice(1)}">
<script src="${source.path.slice(1)}" defer></script>
</head>
${body}
</html>
`

const panel = (id: string, title: string, body: string, hidden = true) =>
  `<section class="panel" id="${id}" aria-labelledby="${id}-title"${hidden ? ' hidden' : ''}>` +
  `<h2 id="${id}-title">${title}</h2>${body}</section>`

const JOB = `<p class="job-name" id="job-name"></p><p class="stage" id="stage" hidden></p>
<div class="bar" id="bar" role="progressbar" aria-label="Progress" aria-valuemin="0" aria-valuemax="100"><i></i></div>
<dl class="facts"><div><dt>Progress</dt><dd id="percent">–</dd></div><div><dt>Layer</dt><dd id="layer">–</dd></div>
<div><dt>Elapsed</dt><dd id="elapsed">–</dd></div><div><dt>Remaining</dt><dd id="remaining">–</dd></div></dl>`

const spark = (id: string, title: string) =>
  `<figure><figcaption>${title} <b id="${id}-now">–</b></figcaption>` +
  `<svg id="${id}" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label="${title}"><path/></svg></figure>`

const HEALTH = `<details id="health"><summary><span>Health</span> <b class="badge" id="verdict">STANDBY</b></summary>
<div class="bar" id="health-bar"><i></i></div>
<dl class="facts"><div><dt>Chance</dt><dd id="composite">–</dd></div><div><dt>Hot</dt><dd id="hot">–</dd></div>
<div><dt>Strand</dt><dd id="strand">–</dd></div><div><dt>Change</dt><dd id="diff">–</dd></div>
<div><dt>Layer</dt><dd id="health-layer">–</dd></div><div><dt>AMS air</dt><dd id="health-ams">–</dd></div></dl>
<div class="sparks">${spark('spark-success', 'Success')}${spark('spark-confidence', 'Confidence')}${
  spark('spark-nozzle', 'Nozzle')}${spark('spark-bed', 'Bed')}</div>
<svg id="radar" viewBox="-125 -75 250 150" role="img" aria-label="Failure factors" hidden></svg></details>`

const PLATE = '<div class="plates"><img id="thumbnail" alt="Plate" hidden><img id="layout" alt="Plate from above" hidden></div>'

/** The live page; its script fills it. */
export const livePage = (printer: string): string => frame(`${PRODUCT} — ${printer}`, script, `<body data-printer="${escape(printer)}">
<header>
<h1>${PRODUCT} — ${escape(printer)}</h1>
<b class="badge" id="state" role="status">…</b>
<span id="speed" class="chip" hidden></span>
<span id="door" class="chip alarm" role="alert" hidden></span>
<span id="humid" class="chip" hidden></span>
<span class="space"></span>
<span class="wifi" id="wifi" hidden><i></i><i></i><i></i><i></i><span></span></span>
<span class="fps"><svg id="fps-line" viewBox="0 0 60 16" preserveAspectRatio="none" aria-hidden="true"><path/></svg><b id="fps">0</b> fps</span>
</header>
<main>
<div class="view"><canvas id="picture" width="16" height="9" role="img" aria-label="Camera of ${escape(printer)}"></canvas>
<p id="notice" role="status">Connecting to the camera …</p></div>
<aside>
${panel('errors', 'Errors', '<ul id="error-list"></ul>')}
${panel('job', 'Job', JOB, false)}
${panel('temperatures', 'Temperatures', '<dl class="rows" id="temperature-rows"></dl>')}
${panel('fans', 'Fans', '<dl class="rows" id="fan-rows"></dl>')}
${panel('filament', 'Filament', '<p class="filament"><i class="swatch" id="swatch"></i><b id="material"></b> <span id="left"></span></p>')}
${panel('plate', 'Plate', PLATE)}
<section class="panel" id="health-panel">${HEALTH}</section>
<div id="more"></div>
</aside>
</main>
</body>`)

/** Opens the live page in a window of its own name, so that a second call finds the first window. */
export const portalPage = (printer: string): string => frame(`Opening ${printer} …`, portal,
  `<body class="portal"><p>Opening the camera of ${escape(printer)} … <a id="go" href=".">Open it here</a></p></body>`)
