// Which printers the monitor watches.

import { useEffect, useState } from 'preact/hooks'
import { call, forEach, shell, t } from 'shell'
import { html } from 'components'

/** More are folded. */
const FEW = 12

/** @typedef {Map<string, boolean>} Choices by printer; those that do not answer are missing */

/** @param {Choices} choices */
function summaryOf (choices) {
  const all = choices.size
  const count = [...choices.values()].filter(Boolean).length
  if (count === all) return { text: t('monitor.watched.all'), isWhole: true }
  return { text: count === 0 ? t('monitor.watched.none') : t('monitor.watched.some', { watched: count, all }), isWhole: false }
}

const Row = ({ name, isOn, isBusy, onChange }) => html`<label class="setting">${name}
  <input type="checkbox" checked=${isOn} disabled=${isBusy || isOn === undefined} onChange=${({ target }) => onChange(target.checked)} /></label>`

export function Watched () {
  const names = shell.printers
  const [choices, setChoices] = useState(/** @type {Choices | null} */ (null))
  const [busy, setBusy] = useState(/** @type {Set<string>} */ (new Set()))
  const [problem, setProblem] = useState('')
  const keep = (name, watched) => setChoices(known => new Map([...known ?? [], [name, watched]]))
  useEffect(() => {
    const found = new Map()
    const read = async printer => {
      const settings = await call('GET', 'monitor_settings', { printer }).catch(() => undefined)
      if (settings !== undefined) found.set(printer, settings.watched)
    }
    void forEach(names, read).then(() => setChoices(found))
  }, [])
  if (choices === null || names.length === 0) return null
  const set = async (printers, watched) => {
    setProblem('')
    setBusy(new Set(printers))
    await forEach(printers, async printer => {
      try {
        keep(printer, (await call('PATCH', 'monitor_settings', { printer, watched })).watched)
      } catch (error) {
        setProblem(t('monitor.failed', { reason: `${printer}: ${/** @type {Error} */ (error).message}` }))
        keep(printer, choices.get(printer) ?? false)
      }
    })
    setBusy(new Set())
  }
  const { text, isWhole } = summaryOf(choices)
  const list = html`<div class="watched">${names.map(name => html`<${Row} key=${name} name=${name} isOn=${choices.get(name)} isBusy=${busy.has(name)}
    onChange=${watched => set([name], watched)} />`)}</div>`
  return html`<section class="card" aria-labelledby="watched-title">
    <header><h2 id="watched-title">${t('monitor.watched')}</h2>${names.length > 1 && html`<div class="buttons small">
      <button type="button" disabled=${isWhole || busy.size > 0} onClick=${() => set([...choices.keys()], true)}>${t('monitor.watched.on')}</button>
      <button type="button" disabled=${busy.size > 0 || ![...choices.values()].includes(true)} onClick=${() => set([...choices.keys()], false)}>${t('monitor.watched.off')}</button></div>`}</header>
    <p class=${isWhole ? 'faint' : 'note warn'} role="status">${text}</p>
    ${names.length > FEW ? html`<details><summary>${t('monitor.watched.choose')}</summary>${list}</details>` : list}
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
  </section>`
}
