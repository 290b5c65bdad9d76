import type { en } from './en.data.js'

export const de: Readonly<Record<keyof typeof en, string>> = {
  'printers.title': 'Drucker',
  'printers.lead': 'Die Drucker dieses Dienstes hinzufügen, prüfen und ändern.',
  'printers.list': 'Deine Drucker',
  'printers.forbidden': 'Drucker richtet ein Administrator ein, oder man tut es auf dem Rechner, auf dem dieser Dienst läuft. ' +
    'Öffne diese Seite dort unter dem Namen localhost, oder melde dich als Administrator an.',
  'printers.failed': 'Das hat nicht geklappt: {reason}',
  'printers.cancel': 'Abbrechen',
  'printers.test': 'Prüfen',
  'printers.tests': 'Wird geprüft',
  'printers.edit': 'Ändern',
  'printers.edit.of': '{name} ändern',
  'printers.remove': 'Entfernen',
  'printers.remove.of': '{name} entfernen?',
  'printers.remove.means': 'Der Dienst vergisst Adresse, Zugangscode und Zertifikat und beobachtet den Drucker nicht mehr. Ein ' +
    'laufender Druck geht weiter, und frühere Drucke bleiben im Verlauf.',
  'printers.save': 'Speichern',
  'printers.save.anyway': 'Trotzdem speichern',
  'printers.accept': 'Das neue Zertifikat annehmen',
  'printers.asking': 'Der Drucker wird gefragt. Das dauert bis zu 15 Sekunden.',
  'printers.state.connected': 'Verbunden',
  'printers.state.connecting': 'Verbindet',
  'printers.state.failed': 'Nicht verbunden',
  'printers.state.paused': 'Angehalten',
  'printers.state.stopped': 'Hier abgeschaltet',
  'printers.firmware': 'Firmware {version}',
  'printers.held': 'bei {service}',
  'printers.virtual': 'Virtuell',
  'printers.virtual.where': 'läuft in diesem Dienst',
  'printers.watch': 'Er lässt sich beobachten, nimmt aber keine Befehle an: Schalte an seinem Bildschirm den Nur-LAN-Modus ' +
    'ein, dann den Entwicklermodus. Danach gilt ein neuer Zugangscode.',
  'printers.stored': '{name} ist eingerichtet und verbunden.',
  'printers.stored.offline': '{name} ist gespeichert und wird verbunden, sobald er antwortet.',
  'printers.changed': '{name} ist geändert und verbunden.',
  'printers.removed': '{name} ist entfernt.',
  'printers.find': 'In deinem Netz',
  'printers.find.runs': 'Sucht',
  'printers.find.again': 'Nochmals suchen',
  'printers.find.add': 'Hinzufügen',
  'printers.find.none': 'Kein Drucker hat sich gemeldet. Er muss eingeschaltet und im selben Netz sein; ein Drucker in einem ' +
    'anderen Netz lässt sich über seine Adresse hinzufügen.',
  'printers.find.nomore': 'Kein weiterer Drucker hat sich gemeldet.',
  'printers.find.taken': 'Ein anderes Programm auf diesem Rechner wartet schon auf Drucker, meist ein Slicer. Schließe es und ' +
    'suche nochmals, oder füge den Drucker über seine Adresse hinzu.',
  'printers.add': 'Drucker hinzufügen',
  'printers.add.of': '{name} hinzufügen',
  'printers.add.address': 'Über die Adresse hinzufügen',
  'printers.add.anyway': 'Trotzdem hinzufügen',
  'printers.field.host': 'Adresse',
  'printers.field.serial': 'Seriennummer',
  'printers.field.access_code': 'Zugangscode',
  'printers.field.name': 'Name',
  'printers.hint.host': 'Zum Beispiel 192.168.1.40',
  'printers.hint.serial': '15 Buchstaben und Ziffern',
  'printers.hint.access_code': '8 Buchstaben und Ziffern vom Bildschirm',
  'printers.hint.access_code.edit': 'Nur wenn er sich geändert hat',
  'printers.hint.name': 'Wie du ihn nennst',
  'printers.hint.rename': 'Frühere Drucke, Spulen und Meldungen bleiben unter dem alten Namen. Wartende Aufträge, Regeln, Rechte ' +
    'von Personen und Programme, die diesen Drucker nennen, müssen geändert werden.',
  'printers.unchanged': 'unverändert',
  'printers.name.usual': 'Drucker',
  'printers.serial.fixed': 'Seriennummer {serial}. Für einen anderen Drucker entferne diesen und füge den anderen hinzu.',
  'printers.screen.network': 'Netzwerk',
  'printers.screen.host': 'IP',
  'printers.screen.access_code': 'Zugangscode',
  'printers.screen.serial': 'SN',
  'printers.where.host': 'Öffne am Bildschirm des Druckers die Einstellungen, dann Netzwerk. Die Zeile IP zeigt die Adresse.',
  'printers.where.access_code': 'Öffne am Bildschirm des Druckers die Einstellungen, dann Netzwerk, bei manchen Modellen Nur LAN. Der ' +
    'Code ändert sich, wenn der Nur-LAN-Modus umgeschaltet wird.',
  'printers.where.serial': 'Öffne am Bildschirm des Druckers die Einstellungen, dann Gerät. Die Nummer steht auch auf dem Aufkleber ' +
    'an der Rückseite.',
  'printers.tried.good': 'Verbunden: {model}. Er kann hinzugefügt werden.',
  'printers.tried.watch': 'Verbunden: {model}. Er lässt sich beobachten, nimmt aber keine Befehle an, bis an seinem Bildschirm ' +
    'Nur-LAN-Modus und Entwicklermodus eingeschaltet sind.',
  'printers.import': 'Aus einer Datei übernehmen',
  'printers.import.runs': 'Drucker werden hinzugefügt',
  'printers.import.title': 'Drucker aus der Datei',
  'printers.import.safe': 'Die Datei enthält Zugangscodes: Bewahre sie sicher auf, oder lösche sie.',
  'printers.import.formats': 'Eine Tabelle (CSV) mit den Überschriften name, host, serial und access_code, dasselbe als JSON, oder ' +
    'die Konfigurationsdatei eines solchen Dienstes mit ihren Zugangscodes.',
  'printers.import.added': 'Hinzugefügt',
  'printers.import.added_offline': 'Hinzugefügt, gerade nicht erreichbar',
  'printers.import.configured_already': 'Schon eingerichtet',
  'printers.import.refused': 'Nicht hinzugefügt',
  'printers.problem.unreachable': 'Unter dieser Adresse antwortet kein Drucker. Ist er eingeschaltet, im selben Netz, und stimmt die ' +
    'Adresse?',
  'printers.problem.access_code_rejected': 'Der Drucker lehnt diesen Zugangscode ab. Lies ihn noch einmal am Bildschirm des Druckers ab.',
  'printers.problem.wrong_serial': 'Der Drucker unter dieser Adresse hat eine andere Seriennummer. Prüfe beides.',
  'printers.problem.certificate_changed': 'Dieser Drucker zeigt ein anderes Zertifikat als bisher. Nach einem Zurücksetzen oder Firmware-Update ' +
    'ist das richtig: Nimm es an. Sonst antwortet unter seiner Adresse ein anderes Gerät.',
  'printers.problem.certificate_untrusted': 'Das Zertifikat des Druckers ist nicht von den Stellen in der Konfigurationsdatei unterschrieben.',
  'printers.problem.not_a_printer': 'Unter dieser Adresse antwortet ein Gerät, aber kein Drucker. Prüfe die Adresse.',
  'printers.problem.login_refused': 'Der Drucker hat die Anmeldung abgewiesen; vielleicht sind zu viele Programme mit ihm verbunden. ' +
    'Schließe Slicer und Apps, und versuche es noch einmal.',
  'printers.problem.connection_lost': 'Die Verbindung ist abgebrochen. Der Dienst versucht es weiter.',
  'printers.problem.no_reports': 'Der Drucker nimmt die Anmeldung an, sendet aber nichts. Vergleiche die Seriennummer mit der des ' +
    'Druckers; sonst schalte ihn aus und wieder ein.',
  'printers.problem.silent': 'Der Drucker nimmt die Verbindung an, sendet aber nichts. Startet er gerade, oder aktualisiert er seine ' +
    'Firmware?',
  'printers.problem.takes_no_commands': 'Der Drucker meldet seinen Zustand, beantwortet aber keinen Befehl. Der Dienst verbindet sich neu; ' +
    'bleibt es so, schalte den Drucker aus und wieder ein.',
  'printers.problem.unknown_host': 'In deinem Netz gibt es kein Gerät dieses Namens. Nimm die IP-Adresse.',
  'printers.problem.missing': 'Bitte ausfüllen.',
  'printers.problem.malformed.host': 'Eine IP-Adresse wie 192.168.1.40, oder der Name des Geräts in deinem Netz.',
  'printers.problem.malformed.serial': 'Nur Buchstaben und Ziffern, keine Leerzeichen.',
  'printers.problem.malformed.access_code': 'Höchstens 64 Buchstaben, Ziffern und Zeichen, keine Leerzeichen.',
  'printers.problem.malformed.name': 'Höchstens 64 Zeichen, ohne / \\ : ? #.',
  'printers.problem.name_taken': 'Ein anderer Drucker heißt schon so.',
  'printers.problem.serial_taken': 'Dieser Drucker ist schon eingerichtet.',
  'printers.problem.code_needed': 'Gib für eine neue Adresse auch den Zugangscode ein: Der gespeicherte geht nur an den Drucker, zu dem er ' +
    'gehört.'
}
