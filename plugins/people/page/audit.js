// Who did what, newest first.

import { actorName, call, dateTime, element, shell, t } from 'shell'

const PAGE = 50

/** @returns {any} */
const $ = id => document.getElementById(id)
const [section, filter, who, printer, list, more, none, problem] =
  ['audit', 'filter', 'who', 'printer', 'entries', 'more', 'none', 'audit-problem'].map($)

let cursor = ''

const TONES = { done: 'good', begun: 'warn' }

function rowOf ({ at, who: name, face, words, printer: of, outcome, outcome_words: end, detail }) {
  const row = element('li')
  const what = element('span', '', 'what')
  const about = [dateTime(at), of, actorName(name, face)].filter(Boolean).join(' · ')
  what.append(element('strong', words), ...[about, detail].filter(Boolean).map(text => element('small', text)))
  row.append(what, element('span', end, `badge ${TONES[outcome] ?? 'bad'}`))
  return row
}

/** @param {boolean} goesOn with the next page, else from the start */
async function show (goesOn) {
  problem.hidden = true
  try {
    const answer = await call('GET', 'audit', {
      lang: shell.language,
      who: who.value.trim() || undefined,
      printer_name: printer.value || undefined,
      limit: PAGE,
      cursor: goesOn ? cursor : undefined
    })
    const rows = answer.entries.map(rowOf)
    if (goesOn) list.append(...rows)
    else list.replaceChildren(...rows)
    cursor = answer.cursor ?? ''
    more.hidden = cursor === ''
    none.hidden = list.children.length > 0
    section.hidden = false
  } catch (error) {
    const { status, message } = /** @type {any} */ (error)
    if (status === 404) return // no audit log here
    problem.textContent = t('people.failed', { reason: message })
    problem.hidden = section.hidden = false
  }
}

/** @param {readonly string[]} names to filter by */
export function showAudit (names) {
  $('names').replaceChildren(...names.map(name => new Option(name, name)))
  void show(false)
}

printer.append(...shell.printers.map(name => new Option(name, name)))
filter.addEventListener('submit', event => { event.preventDefault(); void show(false) })
printer.addEventListener('change', () => show(false))
more.addEventListener('click', () => show(true))
