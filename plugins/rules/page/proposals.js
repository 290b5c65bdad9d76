// Rules that agents have proposed: a person reads what they would do, and saves, changes or discards them.

import { call, callerName, dateTime, shell, t } from 'shell'
import { html, Icon, useState } from './lib.js'
import { ReadsAs } from './list.js'
import { readsOf } from './reads.js'

/** @param {{ proposal: any, vocabulary: any, act: import('./list.js').Act, onChange: () => void }} props */
function Proposal ({ proposal, vocabulary, act, onChange }) {
  const { id, by, at, why, rule, reads, ok, errors, warnings, consequence, accept_consequence: hash } = proposal
  const [accepted, setAccepted] = useState('')
  const accept = () => act(() => call('POST', 'rules/proposals/accept', { id, accept_consequence: hash, lang: shell.language }))
  return html`<li class="proposal"><div class="row-main"><b>${rule.name}</b><${ReadsAs} reads=${readsOf(rule, reads, vocabulary)} />
      <small>${t('rules.proposed', { name: callerName(by), time: dateTime(at) })}</small>${why !== '' && html`<q>${why}</q>`}</div>
    ${ok
      ? html`<p class="consequence">${consequence}</p>
        ${warnings.map(({ words }) => html`<p class="note warn" key=${words}>${words}</p>`)}
        <label class="accept"><input type="checkbox" checked=${accepted === hash} onChange=${({ target }) => setAccepted(target.checked ? hash : '')} />
          <span>${t('rules.accept')}</span></label>`
      : errors.map(({ words }) => html`<p class="wrong" key=${words}><${Icon} name="alert" />${words}</p>`)}
    <div class="buttons"><button type="button" class="primary small" disabled=${!ok || accepted !== hash} aria-label=${t('rules.proposal.accept.of', { name: rule.name })}
        onClick=${accept}>${t('rules.proposal.accept')}</button>
      <button type="button" class="small" aria-label=${t('rules.proposal.change.of', { name: rule.name })} onClick=${onChange}>${t('rules.proposal.change')}</button>
      <button type="button" class="small quiet" aria-label=${t('rules.proposal.discard.of', { name: rule.name })}
        onClick=${() => act(() => call('POST', 'rules/proposals/discard', { id }))}>${t('rules.proposal.discard')}</button></div></li>`
}

/**
 * @param {{ proposals: readonly any[], vocabulary: any, act: import('./list.js').Act, onChange: (proposal: any) =>
 *   void }} props
 */
export const Proposals = ({ proposals, vocabulary, act, onChange }) => proposals.length > 0 && html`<section class="card" aria-labelledby="proposals-title">
  <header><h2 id="proposals-title">${t('rules.proposals', { count: proposals.length })}</h2></header>
  <p class="faint">${t('rules.proposals.text')}</p>
  <ul class="rows">${proposals.map(proposal => html`<${Proposal} key=${proposal.id} proposal=${proposal} vocabulary=${vocabulary} act=${act} onChange=${() => onChange(proposal)} />`)}</ul></section>`
