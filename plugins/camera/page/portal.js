// Opens the page in a window of the given name, or in this one if pop-ups are blocked.

const asked = new URLSearchParams(location.search)
const name = asked.get('name') || 'prnd'
asked.delete('name')
const page = new URL('.' + (asked.size > 0 ? '?' + asked : ''), location.href).href
const link = /** @type {HTMLAnchorElement} */ (document.getElementById('go'))
link.href = page
const opened = window.open(page, name)
if (opened) {
  opened.focus()
  setTimeout(() => window.close(), 150)
} else {
  location.replace(page)
}
