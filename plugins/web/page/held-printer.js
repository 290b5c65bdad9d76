import { t } from 'shell'
import { call, has } from './api.js'
import { attempt, confirm } from './dialogs.js'
import { desk } from './printer-store.js'
import { html } from './lib.js'

/** Only the stop shown in the confirmation is ended: the service compares its time. */
async function release ({ at }) {
  const { printer } = desk.get()
  const yes = await confirm({
    title: t('printer.held.title', { printer }), text: t('printer.held.sure'), action: t('printer.held.release')
  })
  if (yes && desk.get().printer === printer) await attempt(t('printer.held.done'), () => call('queue/release', { stopped_at: at }))
}

/** The queue does not use the printer after failed prints. */
export const HeldPrinter = ({ stopped }) => html`<div class="pending" role="status">
  <p class="warn">${t('printer.held', { failures: stopped.failures })} ${stopped.reason}</p>
  ${has('queue/release') && html`<p><button type="button" class="small" onClick=${() => release(stopped)}>${t('printer.held.release')}</button></p>`}
</div>`
