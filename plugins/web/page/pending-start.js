import { clock, t } from 'shell'
import { call, has } from './api.js'
import { attempt, confirm } from './dialogs.js'
import { desk } from './printer-store.js'
import { html } from './lib.js'

/** The printer may yet begin what is given up: this is the only way to send something else, and it is dangerous. */
async function giveUp ({ job, since }) {
  const { printer } = desk.get()
  const yes = await confirm({
    title: t('printer.giveup.title', { job }), text: t('printer.giveup.sure', { printer }), action: t('printer.giveup'), danger: true
  })
  // Another start than the one that was looked at is not given up.
  const { printer: shown, pending } = desk.get()
  if (yes && shown === printer && pending?.since === since) await attempt(t('printer.giveup.done'), () => call('give_up_start'))
}

/** A start that the printer accepted and does not show yet: nothing is sent meanwhile. */
export const PendingStart = ({ pending }) => html`<div class="pending" role="status">
  <p class="warn">${t('printer.pending', { job: pending.job || '–', at: clock(pending.since) })}</p>
  ${has('give_up_start') && html`<p><button type="button" class="small danger" onClick=${() => giveUp(pending)}>${t('printer.giveup')}</button></p>`}
</div>`
