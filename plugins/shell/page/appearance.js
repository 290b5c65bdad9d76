// How somebody wants to see the pages: kept in cookies, so that pages come as they are wanted.

const YEAR_S = 31_536_000
const SHORTCUTS = 'prnd-shortcuts'

/** Below a path of a proxy it holds there. @param {string} name @param {string} value empty to forget */
function keep (name, value) {
  const base = document.querySelector('.rail .brand')?.getAttribute('href') ?? './'
  const path = new URL(base, document.baseURI).pathname
  document.cookie = `${name}=${value}; Path=${path}; SameSite=Strict; Max-Age=${value === '' ? 0 : YEAR_S}`
}

const valueOf = name => document.cookie.split(/;\s*/).find(part => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''

/** @param {string} theme `light`, `dark` or empty for that of the system */
export function chooseTheme (theme) {
  keep('prnd-theme', theme)
  document.documentElement.dataset.theme = theme
}

/** @param {string} language empty for that of the browser */
export function chooseLanguage (language) {
  keep('prnd-language', language)
  location.reload()
}

export const chosenTheme = () => valueOf('prnd-theme')
export const chosenLanguage = () => valueOf('prnd-language')

/** Keys alone do something, unless somebody turned that off. */
export const hasShortcuts = () => valueOf(SHORTCUTS) !== 'off'
/** @param {boolean} on */
export const chooseShortcuts = on => keep(SHORTCUTS, on ? '' : 'off')
