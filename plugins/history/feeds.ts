import { hexColors, type PrinterSession, type PrinterState, type Spool } from '../../core/index.js'
import { filamentsOf } from './filament.js'
import {
  activePlace, askedMapping, HOLDER, reportedMapping, spoolAt, startMapping, type PlateMapping
} from './places.js'
import type { Feed, Feeds, LayerSpan, Print } from './types.js'

const NONE: Feeds = { list: [], inUse: [], active: '', reported: '', amount: 0, seconds: 0 }
/** A print that draws from more spools counts the later ones with the last. */
const MOST = 64
/** Of one spool. Where filaments alternate more often, the layers in between count with the last span. */
const MOST_SPANS = 256
const ANY = 0
const NO_TAG = /^0*$/

type Progress = Pick<Print, 'layer' | 'totalLayers' | 'percent' | 'result'>

/** The reported layer is still being printed, so it does not count as done. */
function doneOf ({ layer, totalLayers, percent, result }: Progress): number {
  if (totalLayers === 0) return percent
  return result === 'finished' ? totalLayers : Math.max(0, layer - 1)
}

/** Empty when unknown. */
const colorOf = (spool: Spool | undefined): string => (spool && hexColors(spool)[0]) ?? ''

const identify = (spool: Spool | undefined): Pick<Feed, 'material' | 'color' | 'tag'> => ({
  material: spool?.type ?? '',
  color: colorOf(spool),
  tag: spool === undefined || NO_TAG.test(spool.trayUuid) ? '' : spool.trayUuid
})

/** The tag of a spool is read some time after its material is known. */
const isSameSpool = (feed: Feed, now: Pick<Feed, 'material' | 'color' | 'tag'>): boolean =>
  feed.material === '' || now.material === '' ||
  (feed.material === now.material && feed.color === now.color && (feed.tag === '' || now.tag === '' || feed.tag === now.tag))

/** Adds layers that continue the last span to it. */
function withSpan (spans: readonly LayerSpan[], [after, last]: LayerSpan): readonly LayerSpan[] {
  const [begin, end = 0] = spans.at(-1) ?? []
  const continues = begin !== undefined && (end >= after || spans.length >= MOST_SPANS)
  return continues ? [...spans.slice(0, -1), [begin, last]] : [...spans, [after, last]]
}

/** Credits what was printed since the last report to the spools in use at that time. */
function credit (feeds: Feeds, print: Progress & Pick<Print, 'times'>): Feeds {
  const amount = doneOf(print)
  const seconds = print.times.printing
  if (feeds.inUse.length === 0) return feeds
  const printed = { amount: Math.max(0, amount - feeds.amount), seconds: Math.max(0, seconds - feeds.seconds) }
  // Until the first layer a printer may hold the filament of the previous print.
  const counts = print.layer > 0 || print.percent > 0
  const hasLayers = print.totalLayers > 0 && printed.amount > 0
  const list = feeds.list.map((feed, at) => !feeds.inUse.includes(at) || !counts
    ? feed
    : {
        ...feed,
        amount: feed.amount + printed.amount,
        seconds: feed.seconds + printed.seconds,
        ...(hasLayers && { spans: withSpan(feed.spans ?? [], [feeds.amount, amount]) })
      })
  return { ...feeds, list, amount: counts ? Math.max(amount, feeds.amount) : feeds.amount, seconds }
}

/** Whether a filament changed over to another place, because a spool ran out or was exchanged. */
function changedOver (feeds: Feeds, places: ReadonlyMap<number, string>, active: string, state: PrinterState): boolean {
  if (active === '' || feeds.active === '' || active === feeds.active) return false
  if (![...places.values()].includes(active)) return true
  // A place that also serves another filament takes over only for an identical spool that has run out.
  const spent = feeds.list.findLast(({ place }) => place === feeds.active)
  const next = identify(spoolAt(state, active))
  return spent !== undefined && spoolAt(state, feeds.active) === undefined &&
    spent.material === next.material && spent.color === next.color
}

/** The current place of each filament. @param mapping as the print was started */
function placesNow (feeds: Feeds, mapping: PlateMapping | undefined, active: string, state: PrinterState):
ReadonlyMap<number, string> {
  if (mapping === undefined || mapping === HOLDER) {
    const place = active || feeds.active || (mapping ?? '')
    return new Map(place === '' ? [] : [[ANY, place]])
  }
  const before = new Map(feeds.inUse.flatMap(at => {
    const { filament = ANY, place = '' } = feeds.list[at] ?? {}
    return filament === ANY ? [] : [[filament, place]]
  }))
  const begun = mapping.flatMap((place, at): [number, string][] => place === '' ? [] : [[at + 1, place]])
  const places = new Map([...begun, ...before])
  const reported = reportedMapping(state)
  const isNews = feeds.reported !== '' && reported !== undefined && JSON.stringify(reported) !== feeds.reported
  if (isNews) for (const id of places.keys()) if (reported[id - 1]) places.set(id, reported[id - 1] ?? '')
  if (changedOver(feeds, places, active, state)) {
    for (const [id, place] of places) if (place === feeds.active) places.set(id, active)
  }
  return places
}

/** Finds or adds the spools that are in use now. */
function resolve (feeds: Feeds, places: ReadonlyMap<number, string>, state: PrinterState): Feeds {
  const list = [...feeds.list]
  const inUse = [...places].map(([filament, place]) => {
    const now = identify(spoolAt(state, place))
    const isIt = (feed: Feed) => feed.filament === filament && feed.place === place && isSameSpool(feed, now)
    const current = feeds.inUse.find(at => list[at] && isIt(list[at]))
    const at = current ?? list.findLastIndex(isIt)
    const known = list[at]
    if (known === undefined) {
      if (list.length >= MOST) return list.findLastIndex(feed => feed.filament === filament)
      return list.push({ filament, place, ...now, amount: 0, seconds: 0 }) - 1
    }
    if (now.material !== '') list[at] = { ...known, ...now, tag: now.tag || known.tag }
    return at
  })
  return { ...feeds, list, inUse: inUse.filter(at => at >= 0) }
}

/** The spools that have fed a print, updated by the printer's current state. Pure. */
export function advanceFeeds (feeds: Feeds = NONE, print: Print, state: PrinterState): Feeds {
  const active = activePlace(state)
  const credited = credit(feeds, print)
  if (print.result !== 'running') return credited
  const places = placesNow(credited, print.mapping, active, state)
  const reported = reportedMapping(state)
  return {
    ...resolve(credited, places, state),
    active: active || credited.active,
    reported: reported === undefined ? credited.reported : JSON.stringify(reported)
  }
}

/** The print with the spools that feed it, as far as known from start command, reports and active tray. */
export function withFilaments (print: Print, { context, model }: PrinterSession, state: PrinterState): Print {
  const requested = startMapping(state, context.projectFile) ?? askedMapping(print.asked, model.extruders > 1)
  // Until the first layer a printer may still report the mapping of the previous print.
  const shown = print.mapping !== undefined && print.layer > 0 ? print.mapping : reportedMapping(state) ?? print.mapping
  const known = print.result === 'running' ? { ...print, mapping: requested ?? shown } : print
  const fed = { ...known, feeds: advanceFeeds(known.feeds, known, state) }
  return { ...fed, filaments: filamentsOf(fed) }
}
