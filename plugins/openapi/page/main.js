// The explorer is a page of its own, as its address is specified; here it stands among the others.

import { shell } from 'shell'

const frame = /** @type {any} */ (document.getElementById('explorer'))
const system = globalThis.matchMedia('(prefers-color-scheme: dark)')

/** It follows the system by itself; what somebody chose for the pages holds for it too. */
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
