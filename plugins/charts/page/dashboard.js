// Not a module, so that it sets the theme while the head is parsed, before the first paint. The rest waits for the
// page.
'use strict'
{
  const REFRESH_MS = 30000
  const GIVE_UP_MS = 10000
  const THEME_KEY = 'prnd-theme'
  const root = document.documentElement

  // Storage may be blocked: the choice then holds for this page only.
  const remembered = () => { try { return localStorage.getItem(THEME_KEY) ?? '' } catch { return '' } }
  const remember = theme => { try { localStorage.setItem(THEME_KEY, theme) } catch {} }

  const applyTheme = theme => {
    if (theme === 'dark' || theme === 'light') root.dataset.theme = theme
    else delete root.dataset.theme
  }

  const startTheme = choice => {
    choice.value = root.dataset.theme ?? ''
    choice.closest('[hidden]')?.removeAttribute('hidden')
    choice.addEventListener('change', () => { applyTheme(choice.value); remember(choice.value) })
  }

  // Text that is not a complete drawing is ignored, and the page keeps its content.
  const drawing = text => {
    const { documentElement: svg } = new DOMParser().parseFromString(text, 'image/svg+xml')
    const whole = svg.localName === 'svg' && svg.querySelector('parsererror') === null
    return whole ? document.importNode(svg, true) : undefined
  }

  const ask = async address => {
    const response = await fetch(address, { cache: 'no-store', signal: AbortSignal.timeout(GIVE_UP_MS) })
    const answer = await response.json()
    if (!response.ok || answer.error) throw new Error(answer.reason || answer.error || 'HTTP ' + response.status)
    return answer
  }

  const wording = error => error.name === 'TimeoutError' || error.name === 'TypeError'
    ? 'the service does not answer'
    : error.message

  const startPanels = (status, button) => {
    const places = [...document.querySelectorAll('.chart')]
    const shown = places.map(() => '')
    const address = 'charts_panels?printer=' + encodeURIComponent(document.body.dataset.printer ?? '')
    let newest = status.dataset.ts
    let timer
    let busy = false
    let due = false

    const show = ({ panels, ts }) => {
      if (panels.length !== places.length) return location.reload()
      panels.forEach((text, at) => {
        const svg = text === shown[at] ? undefined : drawing(text)
        if (svg === undefined) return
        places[at].replaceChildren(svg)
        shown[at] = text
      })
      newest = ts
      status.classList.remove('late')
      status.textContent = 'Updated ' + ts
    }

    const refresh = async () => {
      if (busy) return
      busy = true
      clearTimeout(timer)
      try {
        show(await ask(address))
      } catch (error) {
        status.classList.add('late')
        status.textContent = 'Not updated: ' + wording(error) + '. The charts are of ' + newest + '.'
      }
      busy = false
      timer = setTimeout(tick, REFRESH_MS)
    }

    // A hidden page is only refreshed when it becomes visible again.
    const tick = () => {
      due = document.hidden
      if (!due) refresh()
    }

    document.addEventListener('visibilitychange', () => { if (due) tick() })
    button.addEventListener('click', refresh)
    button.removeAttribute('hidden')
    timer = setTimeout(tick, REFRESH_MS)
  }

  applyTheme(remembered())
  document.addEventListener('DOMContentLoaded', () => {
    startTheme(document.getElementById('theme'))
    const status = document.getElementById('status')
    if (status) startPanels(status, document.getElementById('refresh'))
  })
}
