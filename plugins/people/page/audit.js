// Who did what, newest first.

import { call, dateTime, element, shell, t } from 'shell'

const PAGE = 50

/** @returns {any} */
const $ = id => document.getElementById(id)
const [section, filter, who, printer, list, more, none, problem] =
  ['audit', 'filter', 'who', 'printer', 'entries', 'more', 'none', 'audit-problem'].map($)

let cursor = ''

const outcomeOf = outcome => ['done', 'refused'].includes(outcome) ? t(`people.audit.${outcome}`) : outcome

function rowOf ({ at, who: name, face, act, printer: about, outcome, detail }) {
  const row = element('li')
  const what = element('span', '', 'what')
  const isLogin = act === 'login'
  what.append(element('strong', isLogin ? t('people.audit.login') : act), ...(about === null ? [] : [` · ${about}`]),
    element('small', [dateTime(at), t('people.audit.by', { who: name, face }), detail].filter(Boolean).join(' · ')))
  row.append(what, element('span', outcomeOf(outcome), `badge ${outcome === 'done' ? 'good' : 'bad'}`))
  return row
}

/** @param {boolean} goesOn with the next page, else from the start */
async function show (goesOn) {
  problem.hidden = true
  try {
    const answer = await call('GET', 'audit', {
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
