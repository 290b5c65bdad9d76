// Third step: what should reach the phone.

import { shell, t } from 'shell'
import { html, Icon } from 'components'

/** @param {{ leave: (path?: string) => void }} options */
export const MessagesStep = ({ leave }) => html`<section class="card" aria-labelledby="messages-title">
  <div class="empty"><${Icon} name="bell" /><h2 id="messages-title">${t('welcome.messages')}</h2>
    <p>${t('welcome.messages.means')}</p>
    <button type="button" class="primary" onClick=${() => leave(shell.links.find(({ id }) => id === 'messages')?.path)}>${t('welcome.messages.go')}</button>
    <button type="button" class="quiet" onClick=${() => leave()}>${t('welcome.finish')}</button></div>
</section>`
