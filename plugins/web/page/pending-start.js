import { t, timeText } from 'shell'
import { call, has } from './api.js'
import { attempt, confirm } from './dialogs.js'
import { desk } from './printer-store.js'
import { html } from './lib.js'

/** Dangerous: the printer may still begin what is given up, and only this allows to send something else. */
async function giveUp ({ job, since }) {
  const { printer } = desk.get()
  const isStale = () => {
    const { printer: shown, pending } = desk.get()
    return shown !== printer || pending?.since !== since
  }
  const yes = await confirm({
    title: t('printer.giveup.title', { job }),
    text: t('printer.giveup.sure', { printer }),
    action: t('printer.giveup'),
    danger: true,
    isStale
  })
  if (yes) await attempt(t('printer.giveup.done'), () => call('give_up_start', { since }))
}

/** A start that the printer accepted and does not show yet; nothing else is sent meanwhile. */
export const PendingStart = ({ pending }) => html`<div class="pending" role="status">
  <p class="warn">${t('printer.pending', { job: pending.job || '–', at: timeText(pending.since) })}</p>
  ${has('give_up_start') && html`<p><button type="button" class="small danger" onClick=${() => giveUp(pending)}>${t('printer.giveup')}</button></p>`}
</div>`
