// A backup to download, and how one is restored.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, dateTime, number, shell, t } from 'shell'
import { html } from 'components'
import { sizeText } from '../../shell/page/format.js'

const FORBIDDEN = 403
/** A large database takes minutes. */
const WAIT_MS = 600_000
const NO_FILE = 'prnd.backup'

/** As a shell on any system takes it. @param {string} path */
const quoted = path => /^[\w./\\:-]+$/.test(path) ? path : `"${path}"`

/** @param {{ backup: any }} options */
const Made = ({ backup }) => html`<div class="row" role="status"><div class="row-main"><b>${backup.file}</b>
    <small>${t('backup.made', { time: dateTime(backup.made_at), size: sizeText(backup.size), rows: number(backup.rows) })}</small></div>
  <div class="row-end"><a class="button primary" href=${`${shell.base}api/backup/${backup.id}`} download=${backup.file}>${t('backup.download')}</a></div></div>
  ${backup.left_out.length > 0 && html`<p class="faint">${t('backup.left', { keys: backup.left_out.join(', ') })}</p>`}`

/** @param {{ backup: any, onDone: () => Promise<void> }} options */
function Make ({ backup, onDone }) {
  const [runs, setRuns] = useState(false)
  const [problem, setProblem] = useState('')
  const make = async () => {
    setRuns(true)
    setProblem('')
    try {
      await call('POST', 'backup', undefined, { waitMs: WAIT_MS })
      await onDone()
    } catch (error) {
      setProblem(t('backup.failed', { reason: /** @type {Error} */ (error).message }))
    }
    setRuns(false)
  }
  return html`<section class="card" aria-labelledby="make-title"><header><h2 id="make-title">${t('backup.make.title')}</h2>
      <button type="button" class=${backup ? '' : 'primary'} disabled=${runs} onClick=${make}>${t(backup ? 'backup.again' : 'backup.make')}</button></header>
    <p>${t('backup.holds')}</p><p class="faint">${t('backup.without')}</p>
    ${runs ? html`<p class="faint" role="status">${t('backup.runs')}</p>` : backup && html`<${Made} backup=${backup} />`}
    ${problem !== '' && html`<p class="note bad" role="alert">${problem}</p>`}
    <p class="note">${t('backup.safe')}</p></section>`
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** @param {{ file: string, made_at: number, size: number } | null} newest */
const newestText = newest => newest === null
  ? t('backup.nightly.none')
  : t('backup.nightly.newest', { file: newest.file, time: dateTime(newest.made_at), size: sizeText(newest.size) })

/** @param {{ nightly: any, onDone: () => Promise<void> }} options */
function Nightly ({ nightly, onDone }) {
  const [wanted, setWanted] = useState(/** @type {object | null} */ (null))
  const [refusal, setRefusal] = useState('')
  const { on, hour, keep, folder, newest, problem } = { ...nightly, ...wanted }
  const runs = wanted !== null
  /** @param {Record<string, unknown>} changes */
  const plan = async changes => {
    setWanted(changes)
    setRefusal('')
    try {
      await call('PATCH', 'backup/nightly', changes, { waitMs: WAIT_MS })
      await onDone()
    } catch (error) {
      setRefusal(t('backup.failed', { reason: /** @type {Error} */ (error).message }))
    }
    setWanted(null)
  }
  return html`<section class="card" aria-labelledby="nightly-title"><header><h2 id="nightly-title">${t('backup.nightly.title')}</h2></header>
    <p class="faint">${t('backup.nightly.text')}</p>
    <label class="setting">${t('backup.nightly.on')} <input type="checkbox" checked=${on} disabled=${runs}
      onChange=${({ target }) => plan({ on: target.checked })} /></label>
    ${on && html`<label class="setting">${t('backup.nightly.hour')}
        <select value=${hour} disabled=${runs} onChange=${({ target }) => plan({ hour: Number(target.value) })}>
          ${HOURS.map(one => html`<option value=${one}>${`${String(one).padStart(2, '0')}:00`}</option>`)}</select></label>
      <label class="setting">${t('backup.nightly.keep')}
        <input type="number" min="1" max="400" required value=${keep} disabled=${runs}
          onChange=${({ target }) => { if (target.reportValidity()) void plan({ keep: Number(target.value) }) }} /></label>
      <p role="status">${runs ? t('backup.runs') : newestText(newest)}</p>
      <p class="faint">${t('backup.nightly.folder', { folder })}</p>
      ${problem !== null && html`<p class="note bad" role="alert">${t('backup.nightly.problem', { reason: problem })}</p>`}`}
    ${refusal !== '' && html`<p class="note bad" role="alert">${refusal}</p>`}</section>`
}

/** @param {{ file: string, configFile: string }} options */
const Restore = ({ file, configFile }) => html`<section class="card" aria-labelledby="restore-title">
  <header><h2 id="restore-title">${t('backup.restore.title')}</h2></header>
  <p class="faint">${t('backup.restore.why')}</p>
  <ol><li>${t('backup.restore.stop')}</li>
    <li>${t('backup.restore.run')}<pre>${`prnd restore ${file} --replace --config ${quoted(configFile)}`}</pre></li>
    <li>${t('backup.restore.start')}</li></ol>
  <p class="faint">${t('backup.restore.codes')}</p><pre>${`prnd backup ${NO_FILE} --codes --config ${quoted(configFile)}`}</pre></section>`

function Backup () {
  const [known, setKnown] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const refresh = async () => {
    try {
      setKnown(await call('GET', 'backup'))
      setProblem('')
    } catch (error) {
      const { status, message } = /** @type {any} */ (error)
      setProblem(status === FORBIDDEN ? t('backup.forbidden') : t('backup.failed', { reason: message }))
    }
  }
  useEffect(() => { void refresh() }, [])
  return html`${problem !== '' && html`<p class="note warn" role="alert">${problem}</p>`}
    ${known && html`<${Make} backup=${known.backup} onDone=${refresh} />
      <${Nightly} nightly=${known.nightly} onDone=${refresh} />
      <${Restore} file=${known.backup?.file ?? NO_FILE} configFile=${known.config_file} />`}`
}

render(html`<${Backup} />`, /** @type {any} */ (document.getElementById('backup')))
