// Where each option of the configuration is on the pages, or why it is only in the file.

/** Options that a person can set on a page: by the page's id, with the key of the text that stands there. */
export const SHOWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  printers: {
    'printers[].name': 'printers.field.name',
    'printers[].host': 'printers.field.host',
    'printers[].serial': 'printers.field.serial',
    'printers[].accessCode': 'printers.field.access_code',
    'printers[].tls.fingerprint': 'printers.accept'
  },
  welcome: {
    'api.host': 'welcome.access'
  },
  groups: {
    'plugins.queue.groups[].name': 'groups.name',
    'plugins.queue.groups[].printers': 'groups.printers',
    'plugins.queue.groups[].hours.from': 'groups.from',
    'plugins.queue.groups[].hours.to': 'groups.to',
    'plugins.queue.groups[].hours.days': 'groups.days',
    'plugins.queue.groups[].spacingSeconds': 'groups.spacing',
    'plugins.queue.groups[].selfClearing': 'groups.clearing.on'
  },
  history: {
    'plugins.history.prices': 'history.prices',
    'plugins.history.keepDays': 'history.keep.prints',
    'plugins.history.keepTelemetryDays': 'history.keep.telemetry',
    'plugins.history.keepTelemetryMiB': 'history.keep.room'
  },
  homeassistant: {
    'plugins.homeassistant.broker': 'homeassistant.field.host',
    'plugins.homeassistant.password': 'homeassistant.field.password',
    'plugins.homeassistant.ca': 'homeassistant.field.ca',
    'plugins.homeassistant.discoveryPrefix': 'homeassistant.field.discoveryPrefix',
    'plugins.homeassistant.topicPrefix': 'homeassistant.field.topicPrefix',
    'plugins.homeassistant.readOnly': 'homeassistant.field.readOnly',
    'plugins.homeassistant.imageOnAlert': 'homeassistant.field.imageOnAlert',
    'plugins.homeassistant.imageSeconds': 'homeassistant.field.imageSeconds'
  },
  messages: {
    'plugins.notify.targets': 'messages.add',
    'plugins.notify.rules[].to': 'messages.name',
    'plugins.notify.rules[].alerts': 'messages.what',
    'plugins.notify.rules[].printers': 'messages.printers',
    'plugins.notify.rules[].urgent': 'messages.nights',
    'plugins.notify.rules[].attach': 'messages.attach',
    'plugins.notify.quiet': 'messages.quiet',
    'plugins.notify.timeZone': 'messages.quiet.zone'
  },
  monitor: {
    'plugins.health.monitor': 'monitor.watched',
    'plugins.health-model.remote.url': 'monitor.server.url',
    'plugins.health-model.remote.token': 'monitor.server.token'
  },
  relay: {
    'plugins.relay.printers[].printer': 'relay.place.printer',
    'plugins.relay.printers[].bind': 'relay.bind',
    'plugins.relay.printers[].address': 'relay.address',
    'plugins.relay.printers[].ports.mqtt': 'relay.port.mqtt',
    'plugins.relay.printers[].ports.ftps': 'relay.port.ftps',
    'plugins.relay.printers[].ports.camera': 'relay.port.camera',
    'plugins.relay.printers[].ports.rtsps': 'relay.port.camera',
    'plugins.relay.clients[].name': 'relay.client.name',
    'plugins.relay.clients[].code': 'relay.enter.code',
    'plugins.relay.clients[].access': 'relay.access',
    'plugins.relay.clients[].printers': 'relay.printers'
  },
  storage: {
    'plugins.alertlog.keepDays': 'storage.alerts.time',
    'plugins.audit.keepDays': 'storage.audit.time',
    'plugins.audit.mostEntries': 'storage.audit.most'
  },
  settings: {
    'plugins.updates.check': 'settings.updates.check'
  },
  recordings: {
    'plugins.recording.evidence': 'recordings.evidence',
    'plugins.recording.keepConnected': 'recordings.connected'
  }
}

interface Reason { readonly because: string, readonly options: readonly string[] }

/** Options that no page sets, by the reason: "Only in the file, because …". */
export const ONLY_IN_FILE: readonly Reason[] = [
  {
    because: 'it says how the file itself is read',
    options: ['$schema', 'version', 'plugins']
  },
  {
    because: 'the service needs it before it can open a page, and a wrong value would close the pages',
    options: ['ports.preferred', 'ports.strict', 'ports.start', 'ports.end', 'dataDir', 'log.file']
  },
  {
    because: 'it decides which requests are trusted, so no request may change it',
    options: ['api.token', 'api.allowedHosts', 'api.corsOrigins', 'api.trustProxy', 'api.trustLan', 'plugins.people.required']
  },
  {
    because: 'it is read before the first encrypted connection, and names files of the host or other names of it',
    options: ['plugins.https.redirect', 'plugins.https.names', 'plugins.https.certificate', 'plugins.https.key']
  },
  {
    because: 'it belongs to the reverse proxy or the login provider, which are set up in files as well',
    options: ['api.publicUrl', 'plugins.people.openid.issuer', 'plugins.people.openid.clientId',
      'plugins.people.openid.clientSecret', 'plugins.people.openid.scopes', 'plugins.people.openid.nameClaim',
      'plugins.people.openid.roleClaim', 'plugins.people.openid.roles', 'plugins.people.openid.defaultRole',
      'plugins.people.openid.button', 'plugins.people.openid.timeoutSeconds', 'plugins.people.openid.insecure']
  },
  {
    because: 'it names a program, files or folders of the host, which a page must not be able to choose',
    options: ['ffmpeg', 'printers[].tls.ca', 'plugins.files.hostFolders']
  },
  {
    because: 'it would send what the service stores to another address, so a page must not be able to change it',
    options: ['plugins.broker.url', 'plugins.broker.password', 'plugins.broker.ca', 'plugins.database.url',
      'plugins.management.catalog.url', 'plugins.notify.push.services', 'plugins.spool-scale.topic']
  },
  {
    because: 'it is the address of a server that is asked without a person, so a page must not be able to choose it',
    options: ['plugins.updates.registry']
  },
  {
    because: 'the printer reports it, or pins it at the first connection, and only unusual networks need another value',
    options: ['printers[].model', 'printers[].ports.mqtt', 'printers[].ports.ftps', 'printers[].ports.camera',
      'printers[].ports.rtsps', 'printers[].tls.mode', 'plugins.management.discoveryPort',
      'plugins.management.oldDiscoveryPort', 'plugins.management.detectPort', 'plugins.management.detectTlsPort',
      'plugins.management.reportSeconds']
  },
  {
    because: 'pages always name the printer they mean, and only programs leave it out',
    options: ['defaultPrinter']
  },
  {
    because: 'it limits what clients and programs may use of the machine, which its operator decides',
    options: ['plugins.camera.maxFps', 'plugins.camera.maxViewers', 'plugins.files.uploadMiB', 'plugins.files.uploadsMiB',
      'plugins.files.ownUploadsMiB', 'plugins.files.cacheMiB', 'plugins.files.spoolMiB', 'plugins.http.limits.analysis',
      'plugins.http.limits.pictures', 'plugins.http.limits.uploads', 'plugins.http.limits.archives',
      'plugins.http.limits.catalogue', 'plugins.toolpath.cacheMiB',
      'plugins.queue.fileMiB', 'plugins.queue.libraryMiB', 'plugins.relay.connectionsPerClient',
      'plugins.slicing.prusaSlicer', 'plugins.slicing.orcaSlicer', 'plugins.slicing.bambuStudio',
      'plugins.slicing.timeoutMinutes', 'plugins.slicing.memoryMiB', 'plugins.slicing.modelMiB', 'plugins.slicing.roomMiB',
      'plugins.backup.folder',
      'plugins.slicing.remotes[].name', 'plugins.slicing.remotes[].url', 'plugins.slicing.remotes[].slicer',
      'plugins.slicing.remotes[].token', 'plugins.rules.mostPerHour', 'plugins.rules.keepDays']
  },
  {
    because: 'it says where the service is, which is written down once when it is set up',
    options: ['plugins.rules.latitude', 'plugins.rules.longitude', 'plugins.rules.timeZone']
  },
  {
    because: 'it is for agents and the people who program them, who work with the file',
    options: ['plugins.mcp.toolsets', 'plugins.mcp.include', 'plugins.mcp.exclude', 'plugins.mcp.readOnly',
      'plugins.mcp.envelope', 'plugins.mcp.outputSchemas', 'plugins.mcp.askConsent', 'plugins.mcp.resume', 'plugins.mcp.idleMinutes',
      'plugins.mcp.maxSessions']
  },
  {
    because: 'the services of a fleet must agree on it, and their operator copies one file to all of them',
    options: ['plugins.fleet.servers', 'plugins.fleet.fleet', 'plugins.fleet.site', 'plugins.fleet.node',
      'plugins.fleet.shared', 'plugins.fleet.hubKeys', 'plugins.fleet.nodeKeys', 'plugins.fleet.credentials',
      'plugins.fleet.user', 'plugins.fleet.password', 'plugins.fleet.ca', 'plugins.fleet.certificate', 'plugins.fleet.key',
      'plugins.fleet.insecure', 'plugins.fleet.replicas']
  },
  {
    because: 'the page has a simpler choice, and rules that go beyond it are written in the file',
    options: ['plugins.notify.rules[].codes', 'plugins.notify.rules[].ignore', 'plugins.notify.rules[].severity',
      'plugins.notify.rules[].hours', 'plugins.notify.rules[].days', 'plugins.notify.rules[].everyMinutes',
      'plugins.notify.rules[].title', 'plugins.notify.rules[].text', 'plugins.notify.push.contact',
      'plugins.notify.giveUpAfterHours']
  },
  {
    because: 'it only serves comparisons and experiments with the monitor',
    options: ['plugins.health.profile', 'plugins.health.comparePlate', 'plugins.health.collect',
      'plugins.health-model.trust', 'plugins.health-model.builtIn', 'plugins.health-model.cameras']
  },
  {
    because: 'it is detected, and only a server behind another network needs another value',
    options: ['plugins.health-model.remote.ownAddress', 'plugins.health-model.remote.ownPort']
  },
  {
    because: 'few have printers that exist for slicers only, or a network in which slicers need to be led',
    options: ['plugins.relay.bind', 'plugins.relay.announce', 'plugins.relay.announceTo.to', 'plugins.relay.announceTo.port',
      'plugins.relay.detect', 'plugins.relay.printers[].ports.detect', 'plugins.relay.printers[].ports.detectTls',
      'plugins.relay.groups[].ports.detect', 'plugins.relay.groups[].ports.detectTls', 'plugins.relay.printers[].name',
      'plugins.relay.groups[].group', 'plugins.relay.groups[].model', 'plugins.relay.groups[].printers',
      'plugins.relay.groups[].name', 'plugins.relay.groups[].bind', 'plugins.relay.groups[].address',
      'plugins.relay.groups[].ports.mqtt', 'plugins.relay.groups[].ports.ftps']
  },
  {
    because: 'no form has been made for it yet, although people would look for it on a page',
    options: ['plugins.queue.groups[].stopAfterFailures', 'plugins.queue.stopAfterFailures',
      'plugins.spools.spoolman.url',
      'plugins.spools.spoolman.token', 'plugins.spools.spoolman.tagField', 'plugins.spool-labels.fonts',
      'plugins.recording.maxMiB',
      'plugins.recording.keepFreeMiB',
      'plugins.management.catalog.refresh', 'plugins.management.catalog.language']
  }
]
