import { clock, dateTime, number, t } from 'shell'
import { Badge, html, useMemo } from './lib.js'
import { Live, Part } from './picture.js'

const Spool = ({ spool }) => html`<span class="spool">
  ${(spool.colors.length > 0 ? spool.colors : ['transparent']).map(color => html`<i key=${color} class="swatch" style=${{ backgroundColor: color }}></i>`)}${spool.type}
  ${spool.remaining_percent >= 0 && html` <span class="faint">${number(spool.remaining_percent)} %</span>`}</span>`

const Progress = ({ name, job }) => html`<div class="progress">
  <progress max="100" value=${job.percent} aria-label=${t('fleet.progress', { printer: name })}></progress>
  <b>${number(Math.round(job.percent))} %</b></div>`

/** The problem, or why there is no current data. */
const sentenceOf = ({ problem, since }) =>
  [since && t('fleet.since', { time: dateTime(since) }), problem].filter(Boolean).join(' ')

/**
 * One printer, rendered again only if it changed.
 * @param {{ printer: any, looks: any, isWall: boolean, isSelected: boolean,
 *   onSelect: (name: string, on: boolean) => void }} props
 */
export function Tile ({ printer, looks, isWall, isSelected, onSelect }) {
  return useMemo(() => {
    const { name, model, condition, job, spool, tags } = printer
    const runs = ['printing', 'preparing', 'paused', 'error'].includes(condition) && job !== null
    const sentence = sentenceOf(printer)
    return html`<li class=${`tile ${looks[condition].tone}`} data-printer=${name}>
      <a class="shot" href=${`printer?printer=${encodeURIComponent(name)}`} tabindex="-1" aria-hidden="true">
        ${isWall && condition !== 'offline' ? html`<${Live} printer=${printer} />` : html`<${Part} printer=${printer} />`}</a>
      <div class="who">
        <label class="pick"><input type="checkbox" checked=${isSelected} aria-label=${t('fleet.select', { printer: name })}
          onChange=${event => onSelect(name, event.currentTarget.checked)} /></label>
        <h2><a href=${`printer?printer=${encodeURIComponent(name)}`}>${name}</a></h2>
        <span class="faint">${model.replaceAll('_', ' ')}</span>
      </div>
      <p class="state"><${Badge} condition=${condition} looks=${looks} />
        ${job?.ends_at && html`<span class="faint">${t('fleet.until', { time: clock(job.ends_at) })}</span>`}</p>
      ${condition === 'cancelled' && job !== null && html`<p class="faint">${t('fleet.stopped_at', { percent: number(Math.round(job.percent)) })}</p>`}
      ${runs && html`<${Progress} name=${name} job=${job} />`}
      ${tags.length > 0 && html`<p class="faint tags">${tags.join(' · ')}</p>`}
      ${sentence !== '' && html`<p class=${`why ${looks[condition].tone}`}>${sentence}</p>`}
      <p class="what">${job && html`<span class="job">${job.name}</span>`}${spool && html`<${Spool} spool=${spool} />`}</p>
    </li>`
  }, [printer, isWall, isSelected])
}
