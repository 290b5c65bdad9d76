// A file that is dropped on a page which does nothing with files goes to the page that prints it.

import { handOver } from './handed-file.js'
import { hasPage, shell, t } from './shell.js'

/** A page that takes files itself has prevented the default before. @param {DragEvent} event */
const hasFiles = event => !event.defaultPrevented && (event.dataTransfer?.types.includes('Files') ?? false)

const READING_MS = 8_000

/** Without one, nothing prints files. */
const isUseful = hasPage('printer') || hasPage('queue')

if (isUseful) {
  const note = document.createElement('p')
  note.className = 'dropping'
  note.hidden = true
  document.body.append(note)
  window.addEventListener('dragover', event => {
    if (!hasFiles(event)) return
    event.preventDefault()
    note.textContent = t('shell.drop')
    note.hidden = false
  })
  window.addEventListener('dragleave', event => { if (event.relatedTarget === null) note.hidden = true })
  window.addEventListener('drop', event => {
    note.hidden = true
    const [file] = hasFiles(event) ? event.dataTransfer?.files ?? [] : []
    if (file === undefined) return
    event.preventDefault()
    handOver(file).then(() => location.assign(`${shell.base}share`), () => {
      note.textContent = t('shell.drop.failed')
      note.hidden = false
      setTimeout(() => { note.hidden = true }, READING_MS)
    })
  })
}
