import { dateTime, filamentName, hasPage, linkTo, modelName, number, slotName, t, timeText } from 'shell'
import { Badge, html, useMemo } from './lib.js'
import { Live, Part } from './picture.js'

const RUNS = new Set(['printing', 'preparing', 'paused', 'error'])

/** A colour as it is, with a hairline; several beside each other; hatched while unknown; a ring for an empty slot. */
const Dot = ({ spool, feeds }) => {
  const { type, colors } = spool
  const left = spool.remaining_percent >= 0 ? `, ${number(spool.remaining_percent)} %` : ''
  const kind = type === '' ? 'none' : colors.length === 0 ? 'unknown' : ''
  return html`<li class=${`dot ${kind} ${feeds ? 'feeds' : ''}`} title=${`${slotName(spool)}: ${filamentName(type, colors) || t('slot.empty')}${left}`}>
    ${colors.slice(0, 4).map((color, at) => html`<i key=${at} style=${{ backgroundColor: color }}></i>`)}</li>`
}

const isSame = (a, b) => b !== null && a.type === b.type && a.colors.join() === b.colors.join()

/** All loaded spools; holders only where something is on them. */
const Dots = ({ printer: { spools, spool } }) => {
  const shown = spools.filter(({ ams_id: unit, type }) => unit < 254 || type !== '').slice(0, 16)
  const feeding = shown.findIndex(one => isSame(one, spool))
  return html`<ul class="dots" aria-label=${t('fleet.spools')}>
    ${shown.map((one, at) => html`<${Dot} key=${at} spool=${one} feeds=${at === feeding} />`)}</ul>`
}

/** What is warm; cold heaters are not worth a number. */
const Heat = ({ heat }) => {
  const warm = ['nozzle', 'bed', 'chamber'].filter(name => heat?.[name] != null)
  return warm.length > 0 && html`<p class="temperatures">${warm.map(name => html`<span key=${name} class=${name}
    title=${t(`fleet.heat.${name}`)}><span class="hidden">${t(`fleet.heat.${name}`)} </span>${number(heat[name])}°</span>`)}</p>`
}

const Progress = ({ name, job }) => html`<div class="progress">
  <b class="percent">${number(Math.round(job.percent))}<small> %</small></b>
  <span class="faint">${job.ends_at ? t('fleet.until', { time: timeText(job.ends_at) }) : ''}</span>
  <progress max="100" value=${job.percent} aria-label=${t('fleet.progress', { printer: name })}></progress>
</div>`

const pageOf = name => `printer?printer=${encodeURIComponent(name)}`

/** Needs that are dealt with on the page of the queue. */
const OF_QUEUE = new Set(['plate', 'start', 'held'])

/** The problem, or why there is no current data. */
function sentenceOf ({ problem, since, need }) {
  const words = need === 'plate' && !hasPage('queue') ? 'part' : need
  return [since && t('fleet.since', { time: dateTime(since) }), problem ?? (words && t(`fleet.need.${words}`))]
    .filter(Boolean).join(' ')
}

/** Where the one action that helps is done; null if there is no such place. */
function helpOf ({ name, need }) {
  if (need === null) return null
  if (!OF_QUEUE.has(need)) return pageOf(name)
  return hasPage('queue') ? linkTo('queue', { printer: name }) : null
}

/**
 * One printer, rendered again only if it changed.
 * @param {{ printer: any, looks: any, isWall: boolean, isSelected: boolean,
 *   onSelect: (name: string, on: boolean) => void }} props
 */
export function Tile ({ printer, looks, isWall, isSelected, onSelect }) {
  return useMemo(() => {
    const { name, model, condition, job, tags } = printer
    const runs = RUNS.has(condition) && job !== null
    const sentence = sentenceOf(printer)
    const help = helpOf(printer)
    const { tone } = looks[condition]
    return html`<li class=${`tile ${tone} ${condition === 'offline' || condition === 'stale' ? 'away' : ''}`} data-printer=${name}>
      <a class="shot" href=${pageOf(name)} tabindex="-1" aria-hidden="true">
        ${isWall && condition !== 'offline' ? html`<${Live} printer=${printer} />` : html`<${Part} printer=${printer} />`}</a>
      <label class="pick"><input type="checkbox" checked=${isSelected} aria-label=${t('fleet.select', { printer: name })}
        onChange=${event => onSelect(name, event.currentTarget.checked)} /></label>
      <div class="facts">
        <div class="who"><h2><a href=${pageOf(name)}>${name}</a></h2>
          <${Badge} condition=${condition} looks=${looks} /></div>
        <p class="what faint">${job && (runs || condition !== 'idle') ? job.name : modelName(model)}
          ${condition === 'cancelled' && job !== null && ` · ${t('fleet.stopped_at', { percent: number(Math.round(job.percent)) })}`}</p>
        ${runs && html`<${Progress} name=${name} job=${job} />`}
        ${sentence !== '' && html`<p class=${`why ${tone}`}>${sentence} ${help && html`<a class="help" href=${help}>${t(`fleet.help.${printer.need}`)}</a>`}</p>`}
        ${tags.length > 0 && html`<p class="faint tags">${tags.join(' · ')}</p>`}
        <div class="ends"><${Dots} printer=${printer} /><${Heat} heat=${printer.temperatures} /></div>
      </div>
    </li>`
  }, [printer, isWall, isSelected])
}
