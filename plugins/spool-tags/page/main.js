// The page of tags: what to write to the tag of a spool, and what a tag says.

import { html } from 'components'
import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, exactColor, filamentName, linkTo, number, spoolName, t } from 'shell'
import { base64Of, hasNfc, readTag, writeTag } from './nfc.js'

const FORMATS = ['openspool', 'opentag3d', 'openprinttag']
const UNITS = { net_g: 'g', used_g: 'g', diameter_mm: 'mm', density: 'g/cm³' }
const FACTS = ['brand', 'name', 'material', 'color', 'nozzle_c', 'bed_c', 'net_g', 'used_g', 'diameter_mm', 'density', 'serial']
const MOST_BYTES = 2_048

/** One thing at a time is under way: what it waits for, and what came of it. */
function useWork () {
  const [state, setState] = useState({ busy: false, done: '', problem: '' })
  /** @param {() => Promise<any>} work @param {boolean} waits for a tag that somebody has to hold */
  const run = async (work, waits, done = '') => {
    setState({ busy: waits, done: '', problem: '' })
    try {
      await work()
      setState({ busy: false, done, problem: '' })
    } catch (error) {
      setState({ busy: false, done: '', problem: t('spool-tags.failed', { reason: error.message }) })
    }
  }
  return { ...state, run }
}

const Outcome = ({ work }) => html`<p role="status" hidden=${!work.busy}>${t('spool-tags.hold')}</p>
  <p class="note good" role="status" hidden=${work.done === ''}>${work.done}</p>
  <p class="bad" role="alert" hidden=${work.problem === ''}>${work.problem}</p>`

const fileOf = (id, format, content) =>
  `${new URL(`../api/spool_tags/${encodeURIComponent(id)}/file`, location.href).pathname}?${new URLSearchParams({ format, content })}`

function Write ({ spools }) {
  const [id, setId] = useState(() => new URL(location.href).searchParams.get('spool') || (spools[0]?.id ?? ''))
  const [format, setFormat] = useState(FORMATS[0])
  const [tag, setTag] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const work = useWork()
  useEffect(() => {
    if (id === '') return
    call('GET', `spool_tags/${encodeURIComponent(id)}`, { format }).then(found => {
      setTag(found)
      setProblem('')
    }, error => setProblem(t('spool-tags.failed', { reason: error.message })))
  }, [id, format])
  const write = () => work.run(() => writeTag(tag.records, AbortSignal.timeout(60_000)), true, t('spool-tags.written'))
  const bytes = tag && number(tag.memory_bytes)
  return html`<section class="card" aria-labelledby="write-title"><header><h2 id="write-title">${t('spool-tags.write')}</h2></header>
    ${spools.length === 0
      ? html`<p class="faint">${t('spool-tags.none')}</p>`
      : html`<label class="field"><span>${t('spool-tags.spool')}</span><select value=${id} onChange=${({ target }) => setId(target.value)}>
          ${spools.map(spool => html`<option key=${spool.id} value=${spool.id}>${spoolName(spool)}</option>`)}</select></label>
        <label class="field"><span>${t('spool-tags.format')}</span><select value=${format} onChange=${({ target }) => setFormat(target.value)}>
          ${FORMATS.map(one => html`<option key=${one} value=${one}>${t(`spool-tags.${one}`)}</option>`)}</select></label>
        <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
        ${tag && html`<p class="faint">${tag.fits.length > 0 ? t('spool-tags.fits', { bytes, tags: tag.fits.join(', ') }) : t('spool-tags.fits.none', { bytes })}</p>
          <${Outcome} work=${work} />
          <div class="buttons">${hasNfc() && html`<button type="button" class="primary" disabled=${work.busy} onClick=${write}>${t('spool-tags.write.phone')}</button>`}
            <a class=${hasNfc() ? 'button' : 'button primary'} download href=${fileOf(id, format, 'message')}>${t('spool-tags.message')}</a>
            <a class="button" download href=${fileOf(id, format, 'memory')}>${t('spool-tags.memory')}</a></div>`}`}
    ${!hasNfc() && html`<p class="faint">${t('spool-tags.phone.none')}</p>`}</section>`
}

function factText (name, value) {
  if (name === 'color') return html`<span title=${exactColor(value)}>${filamentName('', [value]).trim() || value}</span>`
  if (Array.isArray(value)) return value[0] === value[1] ? `${value[0]} °C` : `${value[0]}–${value[1]} °C`
  return UNITS[name] === undefined ? value : `${number(value)} ${UNITS[name]}`
}

const isSaid = value => value !== null && value !== '' && value?.length !== 0

const Tag = ({ tag }) => html`<h3>${t(`spool-tags.${tag.format}`)}</h3>
  <dl class="facts">${FACTS.filter(name => isSaid(tag[name])).map(name =>
    html`<dt key=${name}>${t(`spool-tags.fact.${name}`)}</dt><dd>${factText(name, tag[name])}</dd>`)}</dl>
  ${tag.warnings.map(text => html`<p class="warn" key=${text}>${t('spool-tags.warning', { text })}</p>`)}`

function Reading ({ reading, spools }) {
  const spool = spools.find(({ id }) => id === reading.spool)
  return html`${reading.tags.length === 0 && html`<p>${reading.types.length === 0
      ? t('spool-tags.unknown.empty')
      : t('spool-tags.unknown', { types: reading.types.join(', ') })}</p>`}
    ${reading.tags.map((tag, at) => html`<${Tag} key=${at} tag=${tag} />`)}
    <p class=${spool ? 'note good' : 'note'} role="status">${spool ? t('spool-tags.belongs', { spool: spoolName(spool) }) : t('spool-tags.belongs.none')}</p>
    ${spool && html`<div class="buttons"><a class="button primary" href=${linkTo('spool-scan', { spool: spool.id })}>${t('spool-tags.open')}</a></div>`}`
}

function Read ({ spools }) {
  const [reading, setReading] = useState(/** @type {any} */ (undefined))
  const work = useWork()
  const ask = async input => setReading(await call('GET', 'spool_tags', input))
  const scan = () => work.run(async () => ask(await readTag(AbortSignal.timeout(60_000))), true)
  const choose = ({ target }) => {
    const [file] = target.files
    if (!file) return
    const read = async () => new Uint8Array(await file.slice(0, MOST_BYTES).arrayBuffer())
    void work.run(async () => ask({ data: base64Of(await read()) }), false)
    target.value = ''
  }
  return html`<section class="card" aria-labelledby="read-title"><header><h2 id="read-title">${t('spool-tags.read')}</h2></header>
    <div class="buttons">${hasNfc() && html`<button type="button" disabled=${work.busy} onClick=${scan}>${t('spool-tags.read.phone')}</button>`}
      <label class="button take">${t('spool-tags.read.file')}<input type="file" aria-label=${t('spool-tags.read.file')} onChange=${choose} /></label>
      <span class="faint">${t('spool-tags.read.hint')}</span></div>
    <${Outcome} work=${work} />
    ${reading && html`<${Reading} reading=${reading} spools=${spools} />`}
    <p class="faint">${t('spool-tags.vendor')}</p></section>`
}

function App () {
  const [spools, setSpools] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  useEffect(() => {
    call('GET', 'spools').then(list => setSpools(list.spools), error => setProblem(t('spool-tags.failed', { reason: error.message })))
  }, [])
  return html`<main class="page"><header class="page-head"><h1>${t('spool-tags.title')}</h1><p class="lead">${t('spool-tags.lead')}</p></header>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${spools && html`<div class="sides"><${Write} spools=${spools} /><${Read} spools=${spools} /></div>`}</main>`
}

const place = /** @type {any} */ (document.getElementById('spool-tags'))
place.replaceChildren()
render(html`<${App} />`, place)
