import { keepPrinter } from 'shell'
import { App } from './app.js'
import { loadDescription } from './api.js'
import { showToast } from './dialogs.js'
import { choose, desk } from './printer-store.js'
import { html, render } from './lib.js'
import { listPrinters } from './live.js'

const RETRY_MS = 3_000

/** Closes menus on a click outside, or on one of their actions. */
function closeMenus (event) {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    const isInside = menu.contains(event.target)
    if (!isInside || event.target.closest('.menu button, .menu a')) menu.removeAttribute('open')
  }
}

function leaveMenu (event) {
  const menu = event.key === 'Escape' && event.target.closest?.('details.menu[open]')
  if (menu) { menu.removeAttribute('open'); menu.querySelector('summary').focus() }
}

async function begin () {
  await loadDescription()
  const printers = await listPrinters()
  desk.patch({ printers, asked: true, problem: '' })
  const wanted = new URL(window.location.href).searchParams.get('printer')
  const first = printers.includes(wanted) ? wanted : printers[0]
  if (first !== undefined) choose(first)
}

/** Said in passing once, since the page says it as long as it lasts. */
let said = ''

/** Shows the first printer, however long the service is away. */
export async function tryToBegin () {
  try {
    await begin()
  } catch (error) {
    if (error.message !== said) showToast(error.message, true)
    said = error.message
    desk.patch({ problem: said })
    setTimeout(tryToBegin, RETRY_MS)
  }
}

document.addEventListener('click', closeMenus)
document.addEventListener('keydown', leaveMenu)
desk.subscribe(() => { if (desk.get().printer !== '') keepPrinter(desk.get().printer) })
const place = /** @type {HTMLElement} */ (document.getElementById('app'))
place.textContent = ''
render(html`<${App} />`, place)
void tryToBegin()
