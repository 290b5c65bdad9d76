// The rows of the list of alerts.

import { alertDetail, alertTitle, callerName, dateTime, element, icon, t } from 'shell'

const ICONS = { bad: 'alert', warn: 'alert', plain: 'info' }

const seenBy = ({ acknowledged_by: by, acknowledged_at: at }) => t('alerts.seen', { who: t('alerts.by.name', { name: callerName(by) }), time: dateTime(at) })

function playIn (row, id) {
  const shown = row.querySelector('video')
  if (shown) return shown.remove()
  const video = /** @type {HTMLVideoElement} */ (element('video'))
  video.controls = video.autoplay = video.muted = video.playsInline = true
  video.src = `api/recordings/${id}/file`
  row.append(video)
}

/**
 * @param {Element} list
 * @param {{ clipOf: (alert: any) => string | undefined, acknowledge: (which: object) => Promise<void>,
 *   failed: (error: Error) => void }} page `clipOf`: the recording of an alert, once it is ready
 */
export function createRows (list, { clipOf, acknowledge, failed }) {
  function button (text, act) {
    const made = element('button', text)
    made.addEventListener('click', () => { act().catch(failed) })
    return made
  }

  function rowOf (alert) {
    const seen = alert.acknowledged_at !== null
    const row = element('li', '', `alert ${alert.tone}${seen ? ' seen' : ''}`)
    row.dataset.id = alert.id
    row.dataset.clip = clipOf(alert) ?? ''
    const what = element('div', '', 'what')
    what.append(element('strong', t('alerts.of', { what: alertTitle(alert), printer: alert.printer })),
      element('small', [dateTime(alert.at), alertDetail(alert)].filter(Boolean).join(' · ')))
    if (alert.acknowledged_by !== null) what.append(element('small', seenBy(alert)))
    const acts = element('div', '', 'buttons')
    const clip = clipOf(alert)
    if (clip) acts.append(button(t('alerts.clip'), async () => playIn(row, clip)))
    if (!seen) acts.append(button(t('alerts.acknowledge'), () => acknowledge({ ids: [alert.id] })))
    const page = /** @type {HTMLAnchorElement} */ (element('a', t('alerts.go'), 'button'))
    page.href = `printer?printer=${encodeURIComponent(alert.printer)}`
    acts.append(page)
    row.append(icon(ICONS[alert.tone]), what, acts)
    return row
  }

  /** A clip is ready some time after its alert, when the row is there already. */
  const isSame = (row, alert) => row.classList.contains('seen') === (alert.acknowledged_at !== null) &&
    row.dataset.clip === (clipOf(alert) ?? '')

  return {
    /** Unchanged rows stay in the document, so that a clip keeps playing. @param {readonly any[]} alerts */
    show (alerts) {
      /** @type {Map<string, any>} */
      const known = new Map([...list.children].map((/** @type {any} */ row) => [row.dataset.id, row]))
      list.replaceChildren(...alerts.map(alert => {
        const row = known.get(alert.id)
        return row && isSame(row, alert) ? row : rowOf(alert)
      }))
    }
  }
}
