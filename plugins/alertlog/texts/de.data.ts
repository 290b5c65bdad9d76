import type { en } from './en.data.js'

export const de: Readonly<Record<keyof typeof en, string>> = {
  'alerts.title': 'Meldungen',
  'alerts.printer': 'Drucker',
  'alerts.all': 'Alle',
  'alerts.open': 'Nur neue',
  'alerts.acknowledge': 'Bestätigen',
  'alerts.acknowledge.all': 'Alle bestätigen',
  'alerts.none': 'Keine Meldungen.',
  'alerts.more': 'Mehr zeigen',
  'alerts.failed': 'Nicht geschehen: {reason}.',
  'alerts.count.one': 'Eine ist neu',
  'alerts.count.other': '{count} sind neu',
  'alerts.of': '{what}: {printer}',
  'alerts.seen': 'Bestätigt {who}, {time}',
  'alerts.by.name': 'von {name}',
  'alerts.by.local': 'von diesem Rechner',
  'alerts.by.network': 'über das Netz',
  'alerts.by.token': 'mit dem Token',
  'alerts.clip': 'Clip abspielen',
  'alerts.go': 'Zum Drucker'
}
