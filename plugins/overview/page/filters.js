import { modelName, t, timeText } from 'shell'
import { GROUPS, choices, countsOf, headlineOf, nextFree } from './fleet-model.js'
import { html, Icon, useState } from './lib.js'

const Choice = ({ label, all, values, value, onChange }) => html`<label><span class="hidden">${label}</span>
  <select value=${value} onChange=${event => onChange(event.currentTarget.value)}>
    <option value="">${all}</option>${values.map(one => html`<option key=${one} value=${one}>${modelName(one)}</option>`)}
  </select></label>`

const Toggle = ({ icon, label, on, onChange }) => html`<button type="button" class="icon-only" aria-pressed=${String(on)}
  title=${label} aria-label=${label} onClick=${() => onChange(!on)}><${Icon} name=${icon} /></button>`

/** Counts, which are also filters: those that nobody is counted in are left out. */
const Chips = ({ counts, group, onChange }) => html`<div class="chips" role="group" aria-label=${t('fleet.states')}>
  ${Object.keys(GROUPS).filter(name => name === 'all' || name === group || counts[name] > 0)
    .map(name => html`<button key=${name} type="button" class="small" data-group=${name}
      aria-pressed=${String(group === name)} onClick=${() => onChange(name)}>
      ${t(`fleet.group.${name}`)} <b>${counts[name]}</b></button>`)}
</div>`

/** Search, and the choices that something can be chosen in. */
function Search ({ printers, filter, set }) {
  const models = choices(printers.map(({ model }) => model))
  const filaments = choices(printers.flatMap(one => one.filaments))
  const tags = choices(printers.flatMap(one => one.tags))
  return html`<div class="search">
    <input type="search" placeholder=${t('fleet.search')} aria-label=${t('fleet.search')} value=${filter.text}
      onInput=${event => set({ text: event.currentTarget.value })} />
    ${models.length > 1 && html`<${Choice} label=${t('fleet.model')} all=${t('fleet.model.all')} value=${filter.model}
      values=${models} onChange=${model => set({ model })} />`}
    ${filaments.length > 1 && html`<${Choice} label=${t('fleet.filament')} all=${t('fleet.filament.all')} value=${filter.filament}
      values=${filaments} onChange=${filament => set({ filament })} />`}
    ${tags.length > 0 && html`<${Choice} label=${t('fleet.tag')} all=${t('fleet.tag.all')} value=${filter.tag}
      values=${tags} onChange=${tag => set({ tag })} />`}
  </div>`
}

/** What matters most in one sentence; counts as filters; everything else about the view. */
export function Filters ({ printers, isKnown, filter, setFilter, view, setView }) {
  const [searches, setSearches] = useState(false)
  const counts = countsOf(printers)
  const next = nextFree(printers)
  const set = part => setFilter({ ...filter, ...part })
  const { key, count } = headlineOf(counts)
  return html`<header class="page-head">
    <h1>${isKnown ? t(key, { count }) : t('fleet.title')}</h1>
    ${next && html`<span class="faint" id="next">${t('fleet.next', { time: timeText(next) })}</span>`}
    <span class="space"></span>
    ${printers.length > 1 && html`<div class="toggles">
      <${Toggle} icon="search" label=${t('fleet.more')} on=${searches} onChange=${setSearches} />
      <${Toggle} icon="wall" label=${t('fleet.wall')} on=${view.wall} onChange=${wall => setView({ ...view, wall })} />
      <a class="button icon-only" href="wall" title=${t('fleet.to_wall')} aria-label=${t('fleet.to_wall')}><${Icon} name="large" /></a>
      <${Toggle} icon="compact" label=${t('fleet.dense')} on=${view.dense} onChange=${dense => setView({ ...view, dense })} /></div>`}
    ${printers.length > 1 && html`<${Chips} counts=${counts} group=${filter.group} onChange=${group => set({ group })} />`}
    ${searches && html`<${Search} printers=${printers} filter=${filter} set=${set} />`}
  </header>`
}
