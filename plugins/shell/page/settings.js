import { chooseLanguage, chooseShortcuts, chooseTheme, chosenLanguage, chosenTheme, hasShortcuts } from './appearance.js'
import { shell, t } from './shell.js'

/** @returns {any} */
const $ = id => document.getElementById(id)
const [theme, language, shortcuts] = ['theme', 'language', 'shortcuts'].map($)

theme.value = chosenTheme()
theme.addEventListener('change', () => chooseTheme(theme.value))
language.value = chosenLanguage()
language.addEventListener('change', () => chooseLanguage(language.value))
shortcuts.checked = hasShortcuts()
shortcuts.addEventListener('change', () => chooseShortcuts(shortcuts.checked))

/** The policy of pages lets no form be sent. */
async function logOut () {
  const response = await fetch(`${shell.base}logout`, { method: 'POST' }).catch(() => undefined)
  if (response?.ok) return location.assign(`${shell.base}login`)
  $('problem').textContent = t('settings.logout.failed')
  $('problem').hidden = false
}

const { account } = shell
if (account !== undefined) {
  $('who').textContent = account === null ? t('settings.account.token') : t('settings.account.name', { name: account })
  $('login').hidden = true
  $('account').hidden = false
  $('logout').addEventListener('click', logOut)
}
