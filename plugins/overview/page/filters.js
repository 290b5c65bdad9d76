import { clock, t } from 'shell'
import { GROUPS, choices, countsOf, nextFree } from './fleet-model.js'
import { html, Icon } from './lib.js'

const Choice = ({ label, all, values, value, onChange }) => html`<label><span class="hidden">${label}</span>
  <select value=${value} onChange=${event => onChange(event.currentTarget.value)}>
    <option value="">${all}</option>${values.map(one => html`<option key=${one} value=${one}>${one.replaceAll('_', ' ')}</option>`)}
  </select></label>`

const Toggle = ({ icon, label, on, onChange }) => html`<button type="button" class="icon-only" aria-pressed=${String(on)}
  title=${label} aria-label=${label} onClick=${() => onChange(!on)}><${Icon} name=${icon} /></button>`

/** Counts, which are also filters, and all other settings of the view. */
export function Filters ({ printers, filter, setFilter, view, setView }) {
  const counts = countsOf(printers)
  const next = nextFree(printers)
  const tags = choices(printers.flatMap(one => one.tags))
  const set = part => setFilter({ ...filter, ...part })
  return html`<header class="page-head">
    <h1>${t('fleet.title')}</h1>
    <div class="chips" role="group" aria-label=${t('fleet.states')}>
      ${Object.keys(GROUPS).map(group => html`<button key=${group} type="button" class="small" data-group=${group}
        aria-pressed=${String(filter.group === group)} onClick=${() => set({ group })}>
        ${t(`fleet.group.${group}`)} <b>${counts[group]}</b></button>`)}
    </div>
    ${next && html`<span class="faint" id="next">${t('fleet.next', { time: clock(next) })}</span>`}
    <span class="space"></span>
    <input type="search" placeholder=${t('fleet.search')} aria-label=${t('fleet.search')} value=${filter.text}
      onInput=${event => set({ text: event.currentTarget.value })} />
    <${Choice} label=${t('fleet.model')} all=${t('fleet.model.all')} value=${filter.model}
      values=${choices(printers.map(({ model }) => model))} onChange=${model => set({ model })} />
    <${Choice} label=${t('fleet.filament')} all=${t('fleet.filament.all')} value=${filter.filament}
      values=${choices(printers.flatMap(({ filaments }) => filaments))} onChange=${filament => set({ filament })} />
    ${tags.length > 0 && html`<${Choice} label=${t('fleet.tag')} all=${t('fleet.tag.all')} value=${filter.tag}
      values=${tags} onChange=${tag => set({ tag })} />`}
    <div class="toggles"><${Toggle} icon="wall" label=${t('fleet.wall')} on=${view.wall} onChange=${wall => setView({ ...view, wall })} />
    <${Toggle} icon="compact" label=${t('fleet.dense')} on=${view.dense} onChange=${dense => setView({ ...view, dense })} /></div>
  </header>`
}
