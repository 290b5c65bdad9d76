// One recording in the list.

import { alertTitle, call, dateTime, element, t } from 'shell'

const sizeOf = bytes => bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${Math.ceil(bytes / 1e3)} kB`
const lengthOf = seconds => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** @param {any} recording */
const titleOf = ({ kind, printer }) => t('recordings.of', { kind: t(`recordings.kind.${kind}`), printer })

function button (text, act) {
  const made = element('button', text)
  made.addEventListener('click', act)
  return made
}

/** @param {any} recording */
const detailsOf = ({ started_at: startedAt, status, duration_s: seconds, bytes, alerts, job }) => [
  dateTime(startedAt),
  job.name,
  alerts.map(alertTitle).join(', '),
  status === 'ready' ? `${lengthOf(seconds)}, ${sizeOf(bytes)}` : t(`recordings.status.${status}`)
].filter(text => text !== '').join(' · ')

/**
 * @param {any} first the recording
 * @param {{ changed: () => void, failed: (error: Error) => void }} handlers
 */
export function createRow (first, { changed, failed }) {
  const { id } = first
  const file = `api/recordings/${id}/file`
  const row = element('li', '', 'recording')
  const what = element('div', '', 'what')
  const acts = element('div')
  let video
  let shown = ''

  const act = work => async () => {
    try {
      await work()
      changed()
    } catch (error) {
      failed(/** @type {Error} */ (error))
    }
  }

  function play () {
    if (video) {
      video.remove()
      video = undefined
      return
    }
    video = document.createElement('video')
    video.controls = true
    video.autoplay = true
    video.muted = true
    video.playsInline = true
    video.src = file
    row.append(video)
  }

  const remove = act(async () => {
    if (globalThis.confirm(t('recordings.delete.sure'))) await call('DELETE', `recordings/${id}`)
  })

  function actsOf ({ kind, status }) {
    if (status === 'recording') return kind === 'timelapse' ? [] : [button(t('recordings.stop'), act(() => call('POST', `recordings/${id}/stop`)))]
    if (status === 'encoding') return []
    if (status === 'failed') return [button(t('recordings.delete'), remove)]
    const save = document.createElement('a')
    save.href = `${file}?download=true`
    save.textContent = t('recordings.save')
    return [button(t('recordings.play'), play), save, button(t('recordings.delete'), remove)]
  }

  function update (recording) {
    const text = JSON.stringify(recording)
    if (text === shown) return
    shown = text
    what.replaceChildren(element('strong', titleOf(recording)), element('small', detailsOf(recording)))
    if (recording.problem) what.append(element('small', recording.problem, 'problem'))
    acts.replaceChildren(...actsOf(recording).flatMap(one => [one, ' ']))
  }

  row.append(what, acts)
  update(first)
  return { row, update }
}
