// How long something is kept, and what a shorter time would delete: a card with a dialogue, for several pages.

import { Dialog, html } from 'components'
import { useEffect, useState } from 'preact/hooks'
import { call, number, shell, t } from 'shell'
import { sizeText } from './format.js'

const TYPING_MS = 300
const MIB = 1024 * 1024
const MOST = { days: 36_500, mib: 100_000_000, number: 10_000_000 }

/**
 * @typedef {{ word: string, unit: 'days' | 'mib' | 'number', least?: number, used?: (view: any) => string }} KeepField
 *   `word`: its texts are `PREFIX.WORD` and `PREFIX.WORD.unit`; `least`: 0 is no limit
 * @typedef {{ id: string, path: string, prefix: string, fields: Readonly<Record<string, KeepField>>,
 *   goneParts: (gone: any) => (string | false)[], onDone?: () => void }} Keeping
 *   `path` of the routes; `onDone` is called after a change
 */

/** @param {KeepField} field @param {number} value */
function valueText ({ unit }, value) {
  if (value === 0) return t(unit === 'mib' ? 'keep.nolimit' : 'keep.forever')
  if (unit === 'mib') return sizeText(value * MIB)
  return unit === 'days' ? t('keep.days', { count: value, days: number(value) }) : number(value)
}

/** Empty is no limit. @param {any} form @param {Keeping['fields']} fields */
const limitsIn = (form, fields) =>
  Object.fromEntries(Object.keys(fields).map(name => [name, Number(new FormData(form).get(name) || 0)]))

function Input ({ prefix, name, field, value, onInput }) {
  const { word, unit, least = 0 } = field
  return html`<label class="field"><span>${t(`${prefix}.${word}`)}</span>
    <span class="unit"><input type="number" name=${name} min=${least} max=${MOST[unit]} step="1" inputmode="numeric" required=${least > 0}
      defaultValue=${value === 0 ? '' : value} placeholder=${least > 0 ? '' : '∞'} onInput=${onInput} /> ${t(`${prefix}.${word}.unit`)}</span></label>`
}

/**
 * What the limits in the form would delete, some time after the last key; `problem`: why that is not known.
 * @returns {{ gone: any, problem: string, again: () => void }}
 */
function useGone (path, limits) {
  const [known, setKnown] = useState({ gone: /** @type {any} */ (null), problem: '' })
  const [turn, setTurn] = useState(0)
  const key = JSON.stringify([limits, turn])
  useEffect(() => {
    let isWanted = true
    setKnown({ gone: null, problem: '' })
    const timer = setTimeout(() => {
      call('GET', `${path}/effect`, limits).then(
        gone => { if (isWanted) setKnown({ gone, problem: '' }) },
        error => { if (isWanted) setKnown({ gone: null, problem: error.message }) })
    }, TYPING_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [key])
  return { ...known, again: () => setTurn(before => before + 1) }
}

const Unread = ({ reason, onAgain }) => html`<p class="note bad" role="alert">${t('keep.unread', { reason })}
  <button type="button" class="small" onClick=${onAgain}>${t('keep.again')}</button></p>`

function KeepDialog ({ keeping, view, onClose }) {
  const { path, prefix, fields, goneParts, onDone } = keeping
  const [limits, setLimits] = useState(() => Object.fromEntries(Object.keys(fields).map(name => [name, view[name]])))
  const [problem, setProblem] = useState('')
  const [runs, setRuns] = useState(false)
  const { gone, problem: unread, again } = useGone(path, limits)
  const parts = gone === null ? [] : goneParts(gone).filter(Boolean)
  const warning = parts.length === 0 ? '' : t('keep.gone', { what: parts.join(', ') })
  const save = async event => {
    event.preventDefault()
    if (runs || gone === null) return
    setRuns(true)
    try {
      await call('PATCH', path, limitsIn(event.currentTarget, fields))
      onClose()
      onDone()
    } catch (error) {
      setProblem(t('keep.failed', { reason: /** @type {Error} */ (error).message }))
      setRuns(false)
    }
  }
  const onInput = ({ target: { form } }) => { if (form.checkValidity()) setLimits(limitsIn(form, fields)) }
  return html`<${Dialog} title=${t(prefix)} onClose=${onClose}><form class="keep" onSubmit=${save}>
    <p class="faint">${t(`${prefix}.hint`)}</p>
    ${Object.entries(fields).map(([name, field]) => html`<${Input} key=${name} ...${{ prefix, name, field, value: view[name], onInput }} />`)}
    ${unread !== ''
      ? html`<${Unread} reason=${unread} onAgain=${again} />`
      : html`<p class=${`note${warning === '' ? '' : ' warn'}`} role="status">${gone === null ? '…' : warning || t('keep.gone.none')}</p>`}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('keep.no')}</button>
      <button class=${warning === '' ? 'primary' : 'danger'} disabled=${runs || gone === null}>${t(warning === '' ? 'keep.save' : 'keep.delete')}</button></div>
  </form><//>`
}

/** `since 3 March 2026`; empty without a time. @param {number | null} at */
export const dayText = at => at === null ? '' : new Date(at).toLocaleDateString(shell.language, { dateStyle: 'medium' })

/** Who may not read it, and there is no such thing. */
const NOT_SHOWN = [403, 404]

/** Nothing for those who may not read it, and where there is no such thing. @param {Keeping} keeping */
export function KeepCard (keeping) {
  const { id, path, prefix, fields, onDone = () => {} } = keeping
  const [view, setView] = useState(/** @type {any} */ (null))
  const [open, setOpen] = useState(false)
  const [problem, setProblem] = useState('')
  const read = () => call('GET', path).then(
    answer => { setView(answer); setProblem('') },
    error => { if (!NOT_SHOWN.includes(error.status)) setProblem(error.message) })
  useEffect(() => { void read() }, [path])
  if (!view) return problem !== '' && html`<section class="card"><h2>${t(prefix)}</h2><${Unread} reason=${problem} onAgain=${read} /></section>`
  const done = () => { void read(); onDone() }
  return html`<section class="card" aria-labelledby=${`${id}-title`}>
    <header><h2 id=${`${id}-title`}>${t(prefix)}</h2>${view.may_change && view.origin !== 'file' &&
      html`<button type="button" class="small" onClick=${() => setOpen(true)}>${t('keep.edit')}</button>`}</header>
    <dl class="keeps">${Object.entries(fields).map(([name, field]) => html`<div key=${name}><dt>${t(`${prefix}.${field.word}`)}</dt>
      <dd>${valueText(field, view[name])}${field.used?.(view) && html`<small class="faint">${field.used(view)}</small>`}</dd></div>`)}</dl>
    ${view.origin === 'file' && html`<p class="note">${t('keep.file')}</p>`}
    ${open && html`<${KeepDialog} keeping=${{ ...keeping, onDone: done }} view=${view} onClose=${() => setOpen(false)} />`}
  </section>`
}
