import type { en } from './en.data.js'

export const de: Readonly<Record<keyof typeof en, string>> = {
  'charts.title': 'Diagramme',
  'charts.of': 'Diagramme von {printer}',
  'charts.printer': 'Drucker',
  'charts.refresh': 'Aktualisieren',
  'charts.loading': 'Wird geladen …',
  'charts.updated': 'Stand {time}',
  'charts.late': 'Nicht aktualisiert: {reason}.',
  'charts.none': 'Es ist noch kein Drucker eingerichtet.'
}
