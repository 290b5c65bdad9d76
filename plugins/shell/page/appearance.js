// The user's appearance settings, stored in cookies so that the service can render pages with them.

const YEAR_S = 31_536_000
const SHORTCUTS = 'prnd-shortcuts'

/** Stores a cookie for the service's base path. @param {string} name @param {string} value empty to remove it */
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

/** Single-key shortcuts are on unless the user turned them off. */
export const hasShortcuts = () => valueOf(SHORTCUTS) !== 'off'
/** @param {boolean} on */
export const chooseShortcuts = on => keep(SHORTCUTS, on ? '' : 'off')
