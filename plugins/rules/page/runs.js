// What rules did and why, step by step.

import { call, shell, t } from 'shell'
import { html, Icon, nearTime, useRead, useState } from './lib.js'

export const RUN_TONES = { running: 'busy', done: 'good', failed: 'bad', stopped: '', skipped: '', unclear: 'warn' }
const RUN_ICONS = { running: 'play', done: 'check', failed: 'alert', stopped: 'stop', skipped: 'skip', unclear: 'help' }
const STEP_ICONS = { acting: 'play', waiting: 'history', done: 'check', failed: 'alert', stopped: 'stop', unclear: 'help' }
const PAGE = 20

const Step = ({ step: { state, words, reason, at } }) => html`<li class=${`step ${state}`}><${Icon} name=${STEP_ICONS[state] ?? 'info'} />
  <span><b>${words}</b><small>${[nearTime(at), state !== 'done' && t(`rules.step.${state}`), reason].filter(Boolean).join(' · ')}</small></span></li>`

function Run ({ run, act }) {
  const { id, rule_name: name, printer, at, state, reason, chain_names: chain, steps, wait_until: until } = run
  const facts = [nearTime(at), printer, reason].filter(Boolean).join(' · ')
  return html`<li class="run"><details><summary><span class="row-main"><b>${name}</b><small>${facts}</small></span>
      <span class=${`badge ${RUN_TONES[state]}`}><${Icon} name=${RUN_ICONS[state] ?? 'info'} />${t(`rules.state.${state}`)}</span></summary>
    ${chain.length > 0 && html`<p class="faint">${t('rules.chain', { rules: chain.join(' → ') })}</p>`}
    ${steps.length > 0 ? html`<ol class="timeline">${steps.map(step => html`<${Step} key=${step.step} step=${step} />`)}</ol>` : html`<p class="faint">${t('rules.steps.none')}</p>`}
    ${until !== null && state === 'running' && html`<p class="faint">${t('rules.until', { time: nearTime(until) })}</p>`}
    ${state === 'running' && html`<button type="button" class="small" onClick=${() => act(() => call('POST', 'rules/stop', { run: id }))}>${t('rules.stop')}</button>`}
  </details></li>`
}

/** Later pages of the log, which stay while the first is read again. */
function useMore (rule) {
  const [more, setMore] = useState(/** @type {{ runs: any[], cursor?: string | null }} */ ({ runs: [] }))
  const load = async cursor => {
    const page = await call('GET', 'rules/runs', { rule, limit: PAGE, cursor, lang: shell.language })
    setMore(known => ({ runs: [...known.runs, ...page.runs], cursor: page.cursor }))
  }
  return { ...more, load }
}

/**
 * @param {{ rule?: any, limit?: number, act: import('./list.js').Act, changes: number }} props
 *   `limit`: only the last ones, with a link to all; `changes`: read again when this changes
 */
export function Runs ({ rule, limit, act, changes }) {
  const params = { rule: rule?.id, limit: limit ?? PAGE, lang: shell.language }
  const { body, problem } = useRead('rules/runs', params, true, changes)
  const more = useMore(rule?.id)
  const known = new Set(body?.runs.map(({ id }) => id))
  const runs = [...body?.runs ?? [], ...more.runs.filter(({ id }) => !known.has(id))]
  const cursor = more.cursor === undefined ? body?.cursor : more.cursor
  if (limit !== undefined && runs.length === 0) return ''
  return html`<section class="card" aria-labelledby="runs-title"><header><h2 id="runs-title">${t(rule ? 'rules.runs.of.name' : 'rules.runs', { name: rule?.name ?? '' })}</h2>
      ${limit !== undefined && html`<a class="button quiet small" href="#runs">${t('rules.runs.all')}</a>`}</header>
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${body && runs.length === 0 && html`<p class="faint">${t('rules.runs.none')}</p>`}
    <ul class="runs">${runs.map(run => html`<${Run} key=${run.id} run=${run} act=${act} />`)}</ul>
    ${limit === undefined && cursor && html`<div class="buttons"><button type="button" onClick=${() => act(() => more.load(cursor))}>${t('rules.runs.more')}</button></div>`}
  </section>`
}
