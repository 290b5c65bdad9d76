import { exactColor, filamentName, t } from 'shell'
import { colorOf } from '../../shell/page/format.js'
import { html } from './lib.js'
import { spoolsOf, withTray } from '../../shell/page/mapping.js'
import { placeOf } from './place.js'
import { coloursIn, Swatches } from './swatches.js'

const spoolName = spool => `${placeOf(spool)}: ${filamentName(spool.kind, spool.colors) || t('printer.spool.unknown')}`

const leftOf = ({ left, grams }) => grams !== undefined ? `${grams} g` : left !== undefined ? `${left} %` : ''

const Choice = ({ filament, tray, spools, isWrong, onChange }) => {
  const chosen = spools.find(spool => spool.tray === tray)
  return html`<div class=${`map ${isWrong ? 'bad' : ''}`}>
    <${Swatches} colors=${[colorOf(filament.color)].filter(Boolean)} /><b title=${exactColor(filament.color)}>${filamentName(filament.type, [filament.color])}</b><span aria-hidden="true">→</span>
    <${Swatches} colors=${chosen?.colors ?? []} translucent=${chosen?.translucent} title=${chosen && coloursIn(chosen)} />
    <select aria-label=${t('printer.print.spool', { id: filament.id, type: filament.type })} value=${tray}
      onChange=${event => onChange(Number(event.currentTarget.value))}>
      <option value="-1">${t('printer.print.choose')}</option>
      ${spools.map(spool => html`<option key=${spool.tray} value=${spool.tray}>${spoolName(spool)}</option>`)}
    </select><span class="faint left">${chosen ? leftOf(chosen) : ''}</span></div>`
}

/** The spool of each filament, which can be changed. */
export const PrintMapping = ({ loaded, view, useAms, warnings, setUse, setMapping }) => html`<fieldset><legend>${t('printer.print.filament')}</legend>
  <label class="check"><input type="checkbox" checked=${useAms} disabled=${view.units.length === 0}
    onChange=${event => setUse(event.currentTarget.checked)} /> ${t('printer.print.ams')}</label>
  ${useAms && loaded.filaments.map(filament => html`<${Choice} key=${filament.id} filament=${filament}
    tray=${loaded.mapping[filament.id - 1] ?? -1} spools=${spoolsOf(view)} isWrong=${warnings.some(({ filament: id }) => id === filament.id)}
    onChange=${tray => setMapping(withTray(loaded.mapping, filament.id, tray))} />`)}
  ${!useAms && html`<p class="faint">${t('printer.print.external')}</p>`}
</fieldset>`
