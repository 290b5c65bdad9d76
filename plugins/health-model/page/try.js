// A picture of a printer, or one of the user's, and what the networks think of it.

import { useRef, useState } from 'preact/hooks'
import { call, linkTo, number, shell, t } from 'shell'
import { html } from 'components'
import { nameOf } from './names.js'

const LONGEST_SIDE = 1280
const QUALITY = 0.88
/** A network may have to be loaded first, and a server asked. */
const WAIT_MS = 90_000
const TONES = { clean: 'good', warning: 'warn', critical: 'bad' }

/** Any picture as a JPEG of a size that may be sent. @param {Blob} blob @throws if it is none */
async function prepared (blob) {
  const bitmap = await createImageBitmap(blob).catch(() => { throw new Error(t('monitor.try.unreadable')) })
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  return { url: canvas.toDataURL('image/jpeg', QUALITY), width: canvas.width, height: canvas.height }
}

/** The newest picture of a camera. @param {string} printer @throws without one */
async function pictureOf (printer) {
  const answer = await fetch(`${shell.base}stream/${encodeURIComponent(printer)}/snapshot`, { cache: 'no-store' })
  const blob = await answer.blob()
  if (!answer.ok || !blob.type.startsWith('image/')) throw new Error(t('monitor.try.none'))
  return blob
}

function Verdict ({ judgement }) {
  const { word, certainty, boxes, ms } = judgement
  const sure = t('monitor.try.sure', { percent: number(Math.round(100 * certainty)) })
  const marks = boxes.length > 0 ? ` · ${t('monitor.try.marks', { count: boxes.length })}` : ''
  return html`<li class="row"><span class="row-main"><b>${nameOf(judgement)}</b>
      <small>${sure}${marks}${ms !== null && ` · ${number(Math.round(ms))} ms`}</small></span>
    <span class="row-end"><span class="badge ${TONES[word]}">${t(`monitor.try.${word}`)}</span></span></li>`
}

const Boxes = ({ boxes, width, height }) => html`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">
  ${boxes.map(({ left, top, right, bottom, fails }) => html`<rect class=${fails ? 'fails' : ''} x=${left * width}
    y=${top * height} width=${(right - left) * width} height=${(bottom - top) * height} />`)}</svg>`

function Result ({ picture, judgements }) {
  const boxes = judgements?.flatMap(each => each.boxes) ?? []
  return html`<div class="result" aria-live="polite">
    <div class="picture"><img src=${picture.url} width=${picture.width} height=${picture.height} alt=${t('monitor.try.picture')} />
      <${Boxes} ...${{ boxes, ...picture }} /></div>
    ${judgements === undefined
      ? html`<p class="faint">${t('monitor.try.running')}</p>`
      : html`<ul class="rows">${judgements.map(judgement => html`<${Verdict} key=${judgement.name} judgement=${judgement} />`)}</ul>`}
  </div>`
}

export function Try () {
  const [result, setResult] = useState(/** @type {any} */ (undefined))
  const [problem, setProblem] = useState('')
  const file = useRef(/** @type {any} */ (null))
  const judge = async take => {
    setProblem('')
    setResult(undefined)
    try {
      const picture = await prepared(await take())
      setResult({ picture })
      const { judgements } = await call('POST', 'health/networks/try', { picture: picture.url.split(',')[1] }, { waitMs: WAIT_MS })
      setResult({ picture, judgements })
    } catch (error) {
      const { status, message } = /** @type {any} */ (error)
      if (status === 401) return location.assign(linkTo('monitor')) // the service redirects to the login
      setResult(undefined)
      setProblem(status === undefined ? message : t('monitor.failed', { reason: message }))
    }
  }
  const chosen = ({ target }) => {
    const [blob] = target.files
    target.value = ''
    if (blob) void judge(async () => blob)
  }
  return html`<section class="card" aria-labelledby="try-title">
    <header><h2 id="try-title">${t('monitor.try')}</h2></header>
    <p class="faint">${t('monitor.try.text')}</p>
    <div class="buttons">
      ${shell.printers.slice(0, 6).map(printer => html`<button key=${printer} onClick=${() => judge(() => pictureOf(printer))}>
        ${t('monitor.try.camera', { printer })}</button>`)}
      <button onClick=${() => file.current.click()}>${t('monitor.try.file')}</button>
      <input ref=${file} type="file" accept="image/*" onChange=${chosen} hidden aria-label=${t('monitor.try.file')} />
    </div>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    ${result !== undefined && html`<${Result} ...${result} />`}
  </section>`
}
