import type { en } from './en.data.js'

export const de: Readonly<Record<keyof typeof en, string>> = {
  'shell.skip': 'Zum Inhalt springen',
  'shell.pages': 'Seiten',
  'shell.more': 'Mehr',
  'shell.close': 'Schließen',
  'shell.counted': '{title}, {number} neu',
  'shell.noscript': 'Diese Seite braucht JavaScript.',
  'keys.title': 'Tastenkürzel',
  'keys.help': 'Diese Liste',
  'keys.escape': 'Schließen, was über der Seite liegt',
  'settings.title': 'Einstellungen',
  'settings.appearance': 'Darstellung',
  'settings.theme': 'Farben',
  'settings.theme.system': 'Wie das System',
  'settings.theme.light': 'Hell',
  'settings.theme.dark': 'Dunkel',
  'settings.language': 'Sprache',
  'settings.language.browser': 'Wie der Browser',
  'settings.shortcuts': 'Tastenkürzel',
  'settings.kept': 'Dieser Browser merkt sich die Auswahl.',
  'settings.service': 'Dienst',
  'settings.docs': 'HTTP-API',
  'settings.openapi': 'Beschreibung der HTTP-API',
  'settings.login': 'An- oder abmelden'
}
