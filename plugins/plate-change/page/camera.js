// Pictures of the plate: what a person took, what they say of themselves, and the last one that was checked.

import { t } from 'shell'
import { Ask, AskCorners } from './ask.js'
import { attempt, html, Icon, pictureOf, useState } from './lib.js'

const PICTURE_MS = 40_000

const Pictures = ({ printer, pictures, mayChange, onRemove }) => html`<ul class="pictures">${pictures.map(({ id, kind }) => html`<li key=${id}>
  <img src=${pictureOf(printer, id)} alt=${t(`plate-change.kind.${kind}`)} loading="lazy" /><span>${t(`plate-change.kind.${kind}`)}</span>
  ${mayChange && html`<button type="button" class="quiet icon-only" aria-label=${t('plate-change.camera.remove')} onClick=${() => onRemove(id)}><${Icon} name="close" /></button>`}</li>`)}</ul>`

const Last = ({ printer, check, empty }) => html`<div class="compare"><figure><img src=${pictureOf(printer, 'last', check.at)}
    alt=${t('plate-change.camera.last')} /><figcaption>${t('plate-change.camera.last')}</figcaption></figure>
  ${empty && html`<figure><img src=${pictureOf(printer, empty.id)} alt=${t('plate-change.camera.reference')} />
    <figcaption>${t('plate-change.camera.reference')}</figcaption></figure>`}</div>`

const Measured = ({ measured: { full, empty, is_enough: isEnough, may_accept: mayAccept, is_accepted: isAccepted }, mayChange, onAccept, onWithdraw }) => html`
  ${isEnough && html`<p class=${`note ${mayAccept ? '' : 'bad'}`}>${t('plate-change.camera.measured', {
    full: full.wrong, fulls: full.pictures, empty: empty.wrong, empties: empty.pictures
  })}</p>`}
  ${isAccepted
    ? html`<p>${t('plate-change.camera.accepted')} ${mayChange && html`<button type="button" class="quiet" onClick=${onWithdraw}>${t('plate-change.withdraw')}</button>`}</p>`
    : mayAccept && mayChange && html`<div class="buttons"><button type="button" onClick=${onAccept}>${t('plate-change.camera.accept')}</button></div>`}`

/** @param {{ status: any, onChanged: () => void }} props */
export function Camera ({ status, onChanged }) {
  const [problem, setProblem] = useState('')
  const [asks, setAsks] = useState('')
  const { printer, pictures, mask, measured, last_check: last, may_change: mayChange } = status
  const [empty] = pictures.filter(({ kind }) => kind === 'empty').slice(-1)
  const send = async (method, path, params) => {
    if (await attempt(setProblem, method, path, { printer, ...params }, { waitMs: PICTURE_MS })) onChanged()
  }
  const accept = accepted => send('POST', 'plate-change/accept_error', { hash: measured.hash, accepted })
  const use = corners => {
    setAsks('')
    void send('POST', 'plate-change/mask', { mask: corners })
  }
  const counts = { empty: measured.empty.pictures, full: measured.full.pictures }
  return html`<section class="card" aria-labelledby="camera-title"><header><h2 id="camera-title">${t('plate-change.camera')}</h2></header>
    <p>${t('plate-change.camera.lead')}</p>
    ${last && html`<${Last} printer=${printer} check=${last} empty=${empty} />`}
    ${mayChange && html`<div class="buttons">
      <button type="button" onClick=${() => send('POST', 'plate-change/pictures', { kind: 'empty' })}>${t('plate-change.camera.takeEmpty')}</button>
      <button type="button" onClick=${() => send('POST', 'plate-change/pictures', { kind: 'full' })}>${t('plate-change.camera.takeFull')}</button>
      ${empty && html`<button type="button" class="quiet" onClick=${() => setAsks('corners')}>${t('plate-change.camera.bed')}</button>`}</div>`}
    ${mask.length === 0 ? html`<p class="faint">${t('plate-change.camera.noMask')}</p>` : html`<p class="faint">${t('plate-change.camera.count', counts)}</p>`}
    <${Measured} measured=${measured} mayChange=${mayChange} onAccept=${() => setAsks('error')} onWithdraw=${() => accept(false)} />
    <${Pictures} printer=${printer} pictures=${pictures} mayChange=${mayChange} onRemove=${id => send('DELETE', `plate-change/pictures/${id}`, {})} />
    ${problem !== '' && html`<p class="bad" role="alert">${problem}</p>`}
    ${asks === 'error' && html`<${Ask} title=${t('plate-change.camera.accept.title', { printer })} text=${t('plate-change.camera.accept.sure')}
      yes=${t('plate-change.camera.accept')} onYes=${() => accept(true)} onClose=${() => setAsks('')} />`}
    ${asks === 'corners' && html`<${AskCorners} src=${pictureOf(printer, empty.id)} title=${t('plate-change.camera.bed')} mask=${mask}
      onUse=${use} onClose=${() => setAsks('')} />`}</section>`
}
