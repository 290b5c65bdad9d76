// A plate that was read: picture, sliders, findings, and the print of it if there is one.

import { linkTo, number, t } from 'shell'
import { MODES, paletteOf } from './colors.js'
import { LayerSliders, Player } from './controls.js'
import { headIn, useJob, useLayerShare, usePlayer, useTheme, useTrack } from './hooks.js'
import { layerAt } from './layer-times.js'
import { duration, grams, html, useMemo, useState } from './lib.js'
import { Facts, Findings, LayerTable, Legend } from './panels.js'
import { Viewer } from './viewer.js'

const Plates = ({ params, plates }) => plates.length > 1 && html`<nav class="buttons" aria-label=${t('plate.plates')}>${plates.map(one => html`<a
  key=${one} class="button" href=${linkTo('plate', { file: params.file, plate: String(one) })} aria-current=${one === params.plate ? 'page' : undefined}>
  ${t('plate.number', { number: one })}</a>`)}</nav>`

const Verdict = ({ summary: { stops, warnings } }) => stops > 0
  ? html`<b class="badge bad">${t('plate.stops', { count: stops })}</b>`
  : warnings > 0 ? html`<b class="badge warn">${t('plate.warnings', { count: warnings })}</b>` : html`<b class="badge good">${t('plate.good')}</b>`

const Head = ({ params, loaded: { summary, plates } }) => html`<div class="plate-head"><${Verdict} summary=${summary} />
  <span>${duration(summary.seconds)}</span><span>${grams(summary.filaments.reduce((sum, one) => sum + one.part_g + one.prime_g + one.flush_g, 0))}</span>
  <span>${t('plate.layers.count', { count: summary.layers, number: number(summary.layers) })}</span><span class="space" /><${Plates} params=${params} plates=${plates} /></div>`

const Live = ({ job, isFollowing, onFollow }) => html`<div class="live"><span class="badge good">${t('plate.live', { layer: number(job.layer), layers: number(job.layers), percent: number(job.percent) })}</span>
  <button type="button" aria-pressed=${isFollowing} onClick=${onFollow}>${t('plate.follow')}</button></div>`

/** What the picture shows: the print as it goes, a moment of it, or some layers. */
function displayOf ({ first, last, seconds, isFollowing, job, layers, scene, share }) {
  const total = layers.length
  if (isFollowing && job) {
    const layer = Math.min(total, Math.max(1, job.layer))
    const reached = share === undefined ? {} : headIn(scene, layer, share)
    return { first: 1, last: layer, ghostTo: total, glowing: layer, ...reached }
  }
  if (seconds === undefined) {
    return { first, last, ...(job && job.layer >= first && job.layer <= last && { glowing: job.layer }) }
  }
  const { layer, starts_at: begins, seconds: takes } = layers[layerAt(layers, seconds)]
  const part = takes > 0 ? (seconds - begins) / takes : 1
  return { first: Math.min(first, layer), last: layer, ghostTo: total, ...headIn(scene, layer, part) }
}

/** The ends of a mode's colours, in the units of points. */
function scaleOf (mode, { speed, flow, coldest, hottest }) {
  if (mode === 'temperature') return { least: coldest / 2, most: Math.max(hottest, coldest + 10) / 2 }
  return { least: 0, most: { speed, flow: flow * 100 }[mode] || 1 }
}

/** What is shown and how: by the person, by time, or by the print. */
function useDisplay (params, loaded, layer) {
  const { summary, layers, colors, doc } = loaded
  const [[first, last], setRange] = useState([1, layer > 0 ? Math.min(layer, layers.length) : layers.length])
  const [seconds, setSeconds] = useState(/** @type {number | undefined} */ (undefined))
  const [mode, setMode] = useState(MODES[0])
  const [travel, setTravel] = useState(false)
  const [scene, setScene] = useState(/** @type {any} */ (undefined))
  const job = useJob(params, doc)
  const [isFollowing, setFollowing] = useState(job !== undefined && layer === 0)
  const share = useLayerShare(job, layers, isFollowing)
  const theme = useTheme()
  const track = useTrack(scene, params, loaded)
  const length = Math.max(1, summary.seconds)
  const seek = next => { setFollowing(false); setSeconds(next) }
  const player = usePlayer(length, seconds ?? length, seek)
  const palette = useMemo(() => paletteOf(mode, colors), [mode, colors])
  const display = useMemo(() => ({
    ...displayOf({ first, last, seconds, isFollowing, job, layers, scene, share }),
    travel,
    mode: MODES.indexOf(mode),
    ...scaleOf(mode, track.has),
    palette,
    colors: theme
  }), [first, last, seconds, mode, travel, isFollowing, job, track.has, theme, scene, share])
  const leave = () => { player.stop(); setSeconds(undefined); setFollowing(false) }
  return {
    display,
    first,
    seconds,
    mode,
    setMode,
    travel,
    setTravel,
    scene,
    setScene,
    job,
    isFollowing,
    track,
    length,
    player,
    seek,
    show: (from, to) => { leave(); setRange([from, to]) },
    toggleFollowing: () => { leave(); setFollowing(!isFollowing) }
  }
}

const Loading = ({ scene, track, total }) => html`${track.problem && html`<p class="bad" role="alert">${t('plate.track.failed', { reason: track.problem })}</p>`}
  ${scene && !track.isDone && !track.problem && html`<progress class="loading" max=${total} value=${track.loadedTo}
    aria-label=${t('plate.loading')}></progress>`}`

/** The picture with what moves it. */
function Stage ({ params, loaded, view, chosen, onGo }) {
  const { summary, layers, bed } = loaded
  const { display, first, show, player } = view
  const total = layers.length
  return html`<div class="stage">
    <${Viewer} params=${params} display=${display} box=${boxOf(summary, bed)} bed=${bed} findings=${summary.findings} chosen=${chosen}
      onGo=${onGo} onScene=${view.setScene} label=${t('plate.view', { first: number(display.first), last: number(display.last) })}
      onStep=${by => show(first, Math.min(total, Math.max(first, display.last + by)))} />
    <${Loading} scene=${view.scene} track=${view.track} total=${total} />
    ${view.job && html`<${Live} job=${view.job} isFollowing=${view.isFollowing} onFollow=${view.toggleFollowing} />`}
    <${LayerSliders} layers=${layers} first=${display.first} last=${display.last} onRange=${show} />
    <${Player} seconds=${view.length} at=${view.seconds ?? endOf(layers, display.last)} isPlaying=${player.isPlaying} rate=${player.rate}
      onPlay=${player.play} onRate=${player.setRate} onSeek=${view.seek} />
  </div>`
}

/** @param {{ params: any, loaded: any, at: { layer: number, line: number } }} props at: shown first; 0 for all */
export function PlateView ({ params, loaded, at }) {
  const { summary, layers, colors } = loaded
  const linked = at.line > 0 ? summary.findings.find(({ line }) => line === at.line) : undefined
  const [chosen, setChosen] = useState(/** @type {any} */ (linked))
  const view = useDisplay(params, loaded, at.layer)
  const { first, display, show } = view
  const go = finding => {
    setChosen(finding)
    if (finding.layer > 0) show(Math.min(first, finding.layer), finding.layer)
  }
  const findings = html`<${Findings} summary=${summary} chosen=${chosen} onGo=${go} />`
  const head = html`<${Head} params=${params} loaded=${loaded} />`
  if (layers.length === 0) return html`${head}${findings}`
  const hasFindings = summary.findings.length > 0
  return html`${head}<div class="plate-columns">
    <${Stage} params=${params} loaded=${loaded} view=${view} chosen=${chosen} onGo=${go} />
    <div class="aside">
      ${hasFindings && findings}
      <${Legend} mode=${view.mode} travel=${view.travel} has=${view.track.has} summary=${summary} colors=${colors}
        onMode=${view.setMode} onTravel=${view.setTravel} />
      <${Facts} summary=${summary} colors=${colors} />
      ${!hasFindings && findings}
    </div></div>
    <${LayerTable} layers=${layers} summary=${summary} last=${display.last} onGo=${layer => show(Math.min(first, layer), layer)} />`
}

const endOf = (layers, last) => { const { starts_at: at, seconds } = layers[last - 1]; return at + seconds }

/** What the first view fits: the part, and some of the bed around it. */
function boxOf ({ box_mm: box }, [width, depth]) {
  if (!box) return { min: [0, 0, 0], max: [width, depth, 50] }
  const wide = 12
  return {
    min: [Math.max(0, box.min[0] - wide), Math.max(0, box.min[1] - wide), 0],
    max: [Math.min(width, box.max[0] + wide), Math.min(depth, box.max[1] + wide), box.max[2]]
  }
}
