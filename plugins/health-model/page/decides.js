// What the monitor's verdict is made of, for those who want to know.

import { shell, t } from 'shell'
import { html } from 'components'

/** Scores of which a verdict is made. */
const SCORES = ['success', 'hot', 'strands', 'diff']

export const Decides = () => html`<details class="card decides"><summary><h2>${t('monitor.decides')}</h2></summary>
  <p>${t('monitor.decides.text')}</p>
  <dl class="rows">${SCORES.map(name => html`<div class="row" key=${name}><dt><b>${t(`monitor.decides.${name}`)}</b></dt>
    <dd class="faint">${t(`monitor.decides.${name}.text`)}</dd></div>`)}</dl>
  ${shell.printers.length > 0 && html`<p>${t('monitor.decides.see')}</p>
    <ul class="buttons">${shell.printers.map(name => html`<li key=${name}>
      <a class="button small" href=${`api/charts?${new URLSearchParams({ printer: name })}`}>${name}</a></li>`)}</ul>`}
</details>`
