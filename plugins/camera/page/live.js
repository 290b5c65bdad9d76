// The live page: polls the stream server and shows its data.

import { ask, every } from './ask.js'
import { $, show } from './dom.js'
import { askHealth } from './health.js'
import { noteProblem, noteStale, watch } from './picture.js'
import { showStatus } from './status.js'

const STATUS_MS = 2000
const HEALTH_MS = 8000
const PLATE_MS = 15000
const PANELS_MS = 8000
const POLL_MS = 500

const picture = async id => {
  const response = await ask(id + '?absent=204&t=' + Date.now())
  const image = $(id)
  if (image.src) URL.revokeObjectURL(image.src)
  if (response.status === 204) image.removeAttribute('src')
  else image.src = URL.createObjectURL(await response.blob())
  show(image, image.hasAttribute('src'))
  show($('plate'), $('thumbnail').hasAttribute('src') || $('layout').hasAttribute('src'))
}

/** Panels that explain the verdict, and are folded with its figures. */
const EXPLAINING = ['panel-health-trend']

const askPanels = async () => {
  const panels = await (await ask('panels')).json()
  const before = [...$('more').children, ...$('why').children]
  const known = new Map(before.map(element => [element.id, element]))
  const elements = panels.map(({ id, title, html }) => {
    const element = known.get('panel-' + id) || document.createElement('section')
    if (element.dataset.html === html) return element
    element.id = 'panel-' + id
    element.className = EXPLAINING.includes(element.id) ? '' : 'panel'
    element.dataset.html = html
    const heading = document.createElement('h2')
    heading.textContent = title
    const body = new DOMParser().parseFromString(html, 'text/html').body
    element.replaceChildren(heading, ...body.childNodes)
    return element
  })
  $('more').replaceChildren(...elements.filter(({ id }) => !EXPLAINING.includes(id)))
  $('why').replaceChildren(...elements.filter(({ id }) => EXPLAINING.includes(id)))
}

/**
 * Served by the API, this page lies below `/stream/` and can link to the others; a stream server has none to link to.
 */
if (/\/stream\/[^/]+\/$/.test(location.pathname)) {
  const back = $('back')
  back.href += `?printer=${encodeURIComponent(document.body.dataset.printer ?? '')}`
  show(back, true)
}

watch()
setInterval(() => { if (!document.hidden) noteStale() }, POLL_MS)
every(STATUS_MS, async () => showStatus(await (await ask('status')).json()), () => noteProblem(undefined))
every(HEALTH_MS, askHealth)
every(PLATE_MS, async () => { await picture('thumbnail'); await picture('layout') })
every(PANELS_MS, askPanels)
