import { chooseLanguage, chooseShortcuts, chooseTheme, chosenLanguage, chosenTheme, hasShortcuts } from './appearance.js'
import { showPluginSettings } from './plugin-settings.js'
import { call, element, hasText, shell, t } from './shell.js'
import { showUpdates } from './updates-card.js'

/** @returns {any} */
const $ = id => document.getElementById(id)
const [theme, language, shortcuts] = ['theme', 'language', 'shortcuts'].map($)

theme.value = chosenTheme()
theme.addEventListener('change', () => chooseTheme(theme.value))
language.value = chosenLanguage()
language.addEventListener('change', () => chooseLanguage(language.value))
shortcuts.checked = hasShortcuts()
shortcuts.addEventListener('change', () => chooseShortcuts(shortcuts.checked))

/** A call instead of a form, because the content security policy forbids submitting forms. */
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

/** Shows connections besides printers, if the user may see them. */
async function showConnections () {
  const { connections } = await call('GET', 'connections').catch(() => ({ connections: [] }))
  for (const { name, address, status, problem } of connections) {
    const kind = name.split('.')[0]
    const what = hasText(`connection.${kind}`) ? t(`connection.${kind}`, { name: name.slice(kind.length + 1) }) : name
    const row = element('li', '', 'setting')
    const said = t(`settings.connection.${status}`)
    row.append(element('span', address === null ? what : `${what} (${address})`),
      element('span', problem === null ? said : `${said}: ${problem}`, status === 'failed' ? 'bad' : 'faint'))
    $('connections').querySelector('ul').append(row)
  }
  $('connections').hidden = connections.length === 0
}
void showConnections()

/** Shows configured plugins that do not work. */
async function showPlugins () {
  const { plugin_problems: problems = [] } = await call('GET', 'server_info').catch(() => ({}))
  for (const { plugin, part, message } of problems) {
    const row = element('li', '', 'setting')
    const state = t(part === null ? 'settings.plugin.skipped' : 'settings.plugin.fails')
    row.append(element('span', plugin), element('span', `${state}: ${part === null ? '' : `${part}: `}${message}`, 'bad'))
    $('plugins').querySelector('ul').append(row)
  }
  $('plugins').hidden = problems.length === 0
}
void showPlugins()
void showPluginSettings($('connections'))
void showUpdates($('service').parentElement)
