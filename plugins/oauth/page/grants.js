// Programs that were connected in a browser: what each may do, and when it was last used.

import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call, dateTime, t } from 'shell'
import { Dialog, html } from 'components'

const rounded = value => Math.round(value * 10) / 10

/** @param {any} budget null for no limit */
const budgetText = budget => Object.entries(budget ?? {}).map(([kind, { left, most }]) =>
  t(`grants.left.${kind}`, { left: rounded(left), most: rounded(most) }))

const detailsOf = ({
  name, own, user, sent_to: host, vouched_by: vouchedBy, printers, used_at: used, expires_at: until, budget
}) => [
  ...own ? [] : [t('grants.of', { user })],
  t('grants.to', { host }),
  ...vouchedBy === null ? [] : [t('grants.vouched', { host: vouchedBy })],
  printers === null ? t('grants.printers.all') : printers.join(', '),
  ...budgetText(budget),
  used === null ? t('grants.unused') : t('grants.used', { time: dateTime(used) }),
  until === null ? t('grants.forever') : t('grants.until', { time: dateTime(until) }),
  t('grants.recorded', { name })
].join(' · ')

/** @param {{ grant: any, onClose: () => void, onDone: () => Promise<void> }} options */
function Revoke ({ grant, onClose, onDone }) {
  const [problem, setProblem] = useState('')
  const revoke = async () => {
    try {
      await call('DELETE', 'oauth/grants', { name: grant.name })
      await onDone()
      onClose()
    } catch (error) {
      setProblem(t('grants.failed', { reason: /** @type {any} */ (error).message }))
    }
  }
  return html`<${Dialog} title=${t('grants.revoke.of', { program: grant.program })} onClose=${onClose}>
    <p>${t('grants.revoke.ends')}</p>
    <p class="bad" role="alert" hidden=${problem === ''}>${problem}</p>
    <div class="buttons end"><button type="button" onClick=${onClose}>${t('grants.cancel')}</button>
      <button type="button" class="danger" onClick=${revoke}>${t('grants.revoke')}</button></div>
  <//>`
}

/** @param {{ title: string, grants: any[], onRevoke: (grant: any) => void }} options */
const List = ({ title, grants, onRevoke }) => html`<section class="card" aria-label=${title}>
  <h2>${title}</h2>
  ${grants.length === 0
    ? html`<p class="faint">${t('grants.none')}</p>`
    : html`<ul class="rows">${grants.map(grant => html`<li class="row" key=${grant.name}>
      <span class="row-main program"><strong>${grant.program}</strong><small>${detailsOf(grant)}</small></span>
      <span class="row-end"><span class="badge">${t(`grants.role.${grant.role}`)}</span>
        <button class="small danger" type="button" aria-label=${`${t('grants.revoke')}: ${grant.name}`}
          onClick=${() => onRevoke(grant)}>${t('grants.revoke')}</button></span></li>`)}</ul>`}
</section>`

function Grants () {
  const [grants, setGrants] = useState(/** @type {any} */ (null))
  const [chosen, setChosen] = useState(/** @type {any} */ (null))
  const [problem, setProblem] = useState('')
  const refresh = async () => setGrants((await call('GET', 'oauth/grants')).grants)
  useEffect(() => { refresh().catch(error => setProblem(t('grants.failed', { reason: error.message }))) }, [])
  const of = isOwn => grants.filter(({ own }) => own === isOwn)
  return html`${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${grants !== null && html`<${List} title=${t('grants.own')} grants=${of(true)} onRevoke=${setChosen} />
      ${of(false).length > 0 && html`<${List} title=${t('grants.others')} grants=${of(false)} onRevoke=${setChosen} />`}`}
    ${chosen !== null && html`<${Revoke} grant=${chosen} onClose=${() => setChosen(null)} onDone=${refresh} />`}`
}

render(html`<${Grants} />`, /** @type {any} */ (document.getElementById('grants')))
