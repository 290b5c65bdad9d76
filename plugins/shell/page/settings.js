import { chooseLanguage, chooseShortcuts, chooseTheme, chosenLanguage, chosenTheme, hasShortcuts } from './appearance.js'

/** @returns {any} */
const $ = id => document.getElementById(id)
const [theme, language, shortcuts] = ['theme', 'language', 'shortcuts'].map($)

theme.value = chosenTheme()
theme.addEventListener('change', () => chooseTheme(theme.value))
language.value = chosenLanguage()
language.addEventListener('change', () => chooseLanguage(language.value))
shortcuts.checked = hasShortcuts()
shortcuts.addEventListener('change', () => chooseShortcuts(shortcuts.checked))
