import { t } from 'shell'
import { call, has } from './api.js'
import { canSet, setLight, setTarget, slotsOf, targetText } from './climate.js'
import { attempt, confirm } from './dialogs.js'
import { html, useCallback, useEffect, useState } from './lib.js'
import {
  distanceOf, firstOf, hotOf, isStillClear, lookedAt, moveOf, STEPS, whyNotExtrude, whyNotHome, whyNotMove
} from './motion.js'
import { degrees } from '../../shell/page/format.js'
import { Target } from './target.js'
import { Card, Switch } from './ui.js'

const POLL_MS = 2_000
/** While something moves by hand, so that the next press is not kept waiting. */
const BUSY_POLL_MS = 500

/**
 * Whether the reader may move the printer: nobody else is shown how.
 * @param {string} printer @param {string} service
 */
export function useMayMove (printer, service) {
  const [may, setMay] = useState(false)
  useEffect(() => {
    let isOver = false
    const answer = known => { if (!isOver) setMay(known) }
    if (has('motion')) call('motion').then(({ may_act: known }) => answer(known), () => answer(false))
    return () => { isOver = true }
  }, [printer, service])
  return may
}

/**
 * What may be moved, and a function to ask again.
 * @returns {[any, () => Promise<void>]} undefined before it is known, null if it cannot be known
 */
function useMotion () {
  const [motion, setMotion] = useState(/** @type {any} */ (undefined))
  const ask = useCallback(async () => setMotion(await call('motion').catch(() => null)), [])
  const isMoving = motion?.why?.code === 'moves'
  useEffect(() => {
    void ask()
    const timer = setInterval(() => { if (!document.hidden) void ask() }, isMoving ? BUSY_POLL_MS : POLL_MS)
    return () => clearInterval(timer)
  }, [isMoving])
  return [motion, ask]
}

/**
 * Whether somebody has looked: the plate is empty. It is forgotten when the page is left, or does not know the
 * printer's state, because it cannot tell then what happens on the plate.
 * @param {any} view @param {boolean} isLive
 */
function usePlateIsClear (view, isLive) {
  const [looked, setLooked] = useState(/** @type {ReturnType<typeof lookedAt> | null} */ (null))
  useEffect(() => { if (!isLive) setLooked(null) }, [isLive])
  useEffect(() => {
    const leave = () => { if (document.hidden) setLooked(null) }
    document.addEventListener('visibilitychange', leave)
    return () => document.removeEventListener('visibilitychange', leave)
  }, [])
  const counts = () => isLive && isStillClear(looked, view, Date.now())
  return {
    isClear: counts(),
    set: isClear => setLooked(isClear && isLive ? lookedAt(view, Date.now()) : null),
    /** For a call, at the moment of the press: the service compares the job. */
    said: () => counts() && looked ? { plate_is_clear: true, job_start: looked.start } : {}
  }
}

const PATHS = {
  left: 'm14.5 6-6 6 6 6',
  right: 'm9.5 6 6 6-6 6',
  back: 'm6 14.5 6-6 6 6',
  front: 'm6 9.5 6 6 6-6',
  up: 'M12 19V5m-6 6 6-6 6 6',
  down: 'M12 5v14m-6-6 6 6 6-6',
  home: 'm3.5 11.5 8.5-7 8.5 7M6 9.5V19h12V9.5'
}
const Glyph = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${PATHS[name]} /></svg>`

const whyText = (why, motion) => t(`printer.move.why.${why}`, {
  least: degrees(motion?.extrude.least_c), now: degrees(motion?.extrude.nozzle_c), material: motion?.extrude.material || t('printer.move.filament')
})

/**
 * A press sends one act. While the printer moves, the button keeps the focus of the keyboard and does nothing.
 * @param {{ label: string, why: string, motion: any, onPress: () => unknown, name?: string, place?: string,
 *   children?: any }} props
 */
const Press = ({ name = '', label, why, motion, place = '', onPress, children }) => html`
  <button type="button" class=${`press ${place}`} aria-label=${label} disabled=${why !== '' && why !== 'moves'}
    aria-disabled=${why === 'moves' ? 'true' : null} title=${why === '' ? label : whyText(why, motion)}
    onClick=${() => { if (why === '') void onPress() }}>${name !== '' && html`<${Glyph} name=${name} />`}${children}</button>`

const Steps = ({ step, onStep }) => html`<fieldset class="segments steps"><legend>${t('printer.move.step')}</legend>
  ${STEPS.map(each => html`<label key=${each}><input type="radio" name="step" value=${each} checked=${step === each}
    onChange=${() => onStep(each)} /><span>${each} mm</span></label>`)}</fieldset>`

function Arrow ({ direction, step, known, motion, act }) {
  const move = moveOf(motion, direction)
  const mm = distanceOf(step, move?.most_mm ?? step)
  const label = t(`printer.move.${move?.part ?? 'head'}.${direction}`, { mm })
  const send = () => act(() => call('motion/move', { direction, distance_mm: mm, ...(move?.closer && known.said()) }))
  return html`<${Press} name=${direction} place=${direction} label=${label} why=${whyNotMove(motion, direction, known)}
    motion=${motion} onPress=${send} />`
}

async function release (act) {
  const yes = await confirm({
    title: t('printer.move.release.title'), text: t('printer.move.release.sure'), action: t('printer.move.release')
  })
  if (yes) await act(() => call('motion/motors_off'))
}

function Filament ({ view, motion, step, known, act }) {
  const why = whyNotExtrude(motion, known.isLive)
  const nozzle = motion?.extrude.nozzle ?? 'only'
  const heater = view.heaters.find(({ active, key }) => active ?? key.startsWith('tool'))
  const mm = distanceOf(step, motion?.extrude.most_mm ?? step)
  const send = direction => act(() => call('motion/extrude', { direction, length_mm: mm, ...(nozzle !== 'only' && { nozzle }) }))
  return html`<section class="feed" aria-labelledby="feed-title"><h3 id="feed-title">${t('printer.move.filament')}</h3>
    ${heater && html`<p class="heat"><b>${degrees(heater.actual)}</b> <span class="faint">${t(`printer.heater.${heater.label}`)}</span>
      ${canSet(heater) && html`<${Target} title=${t(`printer.heater.${heater.label}`)} text=${targetText(heater.target)} unit="°C"
        value=${heater.target} max=${heater.max} kind=${heater.key} slots=${slotsOf(view)}
        onSend=${setTarget(heater, t(`printer.heater.${heater.label}`))} />`}</p>`}
    <div class="pair">${['extrude', 'retract'].map(direction => html`<${Press} key=${direction} motion=${motion} why=${why}
      label=${t(`printer.move.${direction}.by`, { mm })} onPress=${() => send(direction)}>
      ${t(`printer.move.${direction}`)}<//>`)}</div>
    ${why !== '' && firstOf(motion, known.isLive) !== why && html`<p class="faint">${whyText(why, motion)}</p>`}
  </section>`
}

/** Nobody has to do anything about these. */
const QUIET = ['', 'moves', 'asking']

/** What stops everything, or what to mind. */
function Notes ({ motion, first, heaters }) {
  const hot = hotOf(heaters).map(({ label, actual }) => `${t(`printer.heater.${label}`)} ${degrees(actual)}`).join(', ')
  return html`<p class=${`note ${QUIET.includes(first) ? '' : 'warn'}`} role="status">
      ${first === '' ? t('printer.move.stand_by') : whyText(first, motion)}</p>
    ${hot !== '' && html`<p class="faint">${t('printer.move.hot', { what: hot })}</p>`}`
}

function Axes ({ step, known, motion, act, isWanted }) {
  const up = moveOf(motion, 'up')
  const part = up?.part ?? 'bed'
  const arrow = direction => html`<${Arrow} direction=${direction} step=${step} known=${known} motion=${motion} act=${act} />`
  return html`<section class="axes" aria-labelledby="plane-title"><h3 id="plane-title">${t(`printer.move.plane.${part}`)}</h3>
      <div class="cross">${arrow('back')}${arrow('left')}
        <${Press} name="home" place=${isWanted ? 'middle wanted' : 'middle'} label=${t('printer.move.home')} motion=${motion}
          why=${whyNotHome(motion, known)} onPress=${() => act(() => call('motion/home', known.said()))} />
        ${arrow('right')}${arrow('front')}</div></section>
    <section class="lift" aria-labelledby="lift-title"><h3 id="lift-title">${t(`printer.move.lift.${part}`)}</h3>
      ${arrow('up')}<span class="faint">${distanceOf(step, up?.most_mm ?? step)} mm</span>${arrow('down')}</section>`
}

/**
 * Axes, filament and lamp by hand.
 * @param {{ view: any, link: string }} props `link`: how the page gets its news
 */
export function Move ({ view, link }) {
  const [asked, ask] = useMotion()
  const [step, setStep] = useState(10)
  const [isSending, setIsSending] = useState(false)
  const isLive = view.service === 'CONNECTED' && view.isLive && link !== 'lost'
  const { isClear, set: setIsClear, said } = usePlateIsClear(view, isLive)
  const act = async work => {
    setIsSending(true)
    await attempt('', work)
    await ask()
    setIsSending(false)
  }
  const motion = isSending && asked ? { ...asked, why: { code: 'moves' } } : asked
  const known = { isLive, isClear, said }
  const first = firstOf(motion, known.isLive)
  const rest = { step, known, motion, act }
  return html`<${Card} id="move" title=${t('printer.move')} extra=${html`<${Steps} step=${step} onStep=${setStep} />`}>
    <${Notes} motion=${motion} first=${first} heaters=${view.heaters} />
    <div class="looked"><${Switch} label=${t('printer.move.clear')} on=${isClear} onChange=${setIsClear} />
      ${!isClear && html`<small class="faint">${t('printer.move.clear.for')}</small>`}</div>
    <div class="pads"><${Axes} ...${rest} isWanted=${first === 'not_homed'} /><${Filament} ...${rest} view=${view} /></div>
    <div class="buttons small">
      ${has('set_light_state') && html`<${Switch} label=${t('printer.light')} on=${view.light} onChange=${setLight} />`}
      <span class="space"></span>
      <button type="button" class="quiet" disabled=${first !== '' && first !== 'not_homed' && first !== 'moves'}
        onClick=${() => { if (first !== 'moves') void release(act) }}>${t('printer.move.release')} …</button>
    </div><//>`
}
