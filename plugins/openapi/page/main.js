// Embeds the explorer, which is also a page of its own at a specified address.

import { shell } from 'shell'

const frame = /** @type {any} */ (document.getElementById('explorer'))
const system = globalThis.matchMedia('(prefers-color-scheme: dark)')

/** By default it follows the system's theme; a theme chosen for the pages applies to it too. */
function dress () {
  const theme = document.documentElement.dataset.theme ?? ''
  const { dataset, classList } = frame.contentDocument.documentElement
  dataset.theme = theme
  classList.toggle('dark-mode', theme === 'dark' || (theme === '' && system.matches))
}

frame.addEventListener('load', dress)
system.addEventListener('change', dress)
new globalThis.MutationObserver(dress).observe(document.documentElement, { attributeFilter: ['data-theme'] })
frame.src = `${shell.base}api/docs/`
