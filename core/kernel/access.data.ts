import type { AccessLevel } from './types.js'

// Access without a token. Everything in the package is listed here, so that every addition requires a decision; plugins
// from outside declare access with their operations and routes.

/**
 * Only this machine: access to files of the host, to addresses, codes and certificates of printers, to logs, and to
 * commands that are sent unchecked.
 */
const TRUSTED: Readonly<Record<string, string>> = {
  alertlog: 'changeKeeping',
  audit: 'changeKeeping list readKeeping tryKeeping',
  backup: 'download make plan read',
  energy: 'addPlug changePlug readSetup removePlug setPrices testPlug',
  files: 'download upload',
  'health-model': 'addNetwork cancelTask chooseRemote forgetRemote installRuntime removeNetwork tryNetworks',
  history: 'changeKeeping setPrices',
  homeassistant: 'changeBroker readBroker removeBroker tryBroker',
  management: 'addPrinter detectAtAddress importPrinters listConfigured removePrinter renameConfigured testPrinter tryPrinter updateCredentials',
  night: 'change',
  notify: 'addTarget changeTarget readSetup removeTarget sendTest setQuietHours tryTarget',
  passkeys: 'removeAllOf',
  'plate-change': 'accept acceptError deleteRecipe removePicture saveRecipe setMask takePicture',
  people: 'addKey addUser changeKey changeUser listKeys listUsers removeUser revokeKey',
  print: 'sendRequest',
  queue: 'addGroup changeGroup removeGroup setWarming',
  relay: 'addClient changeClient readSetup removeClient removePrinter renewCode setPrinter',
  setup: 'changeReach readReach',
  slicing: 'importProfile removeProfile',
  standalone: 'toggleVerbosity',
  system: 'dumpLog setLevel setVerbose tailLog truncateLog',
  updates: 'switch'
}

/** Everyone on the network: reading and printing. */
const NETWORK: Readonly<Record<string, string>> = {
  alertlog: 'acknowledge count list readKeeping tryKeeping',
  alerts: 'clear read take',
  camera: 'readStreamUrl snapshotLink startStream stopNamedStream stopStream takeSnapshot viewStream watch',
  charts: 'open readDocument readPage readPanels',
  climate: 'setBedTarget setChamberTarget setFan setLight setNozzleTarget toggleActiveTool',
  drying: 'accept add change list remove withdraw',
  energy: 'list turnOff turnOn use',
  faults: 'ignore list',
  filament: 'chooseCalibration controlAms describeSlot describeTray list load loadWhenIdle scanTag setAmsSetting ' +
    'setKFactor startDryer stopDryer unload unloadWhenIdle',
  fleet: 'read',
  files: 'createFolder delete find list read receive rename uploadStored',
  hardware: 'configureNozzle readDetectors readNozzles refreshNozzles setDetector setFirstLayer setNozzle ' +
    'setPlateMarker setPrintOptions swapTool',
  health: 'analyzeJob changeMonitor openJobState readMonitor',
  'health-model': 'readNetworks',
  history: 'annotate delete export list read readKeeping readPicture readPrices readStatistics readSummary readTelemetry readThumbnail readTimeUse reprint tryKeeping',
  https: 'read',
  maintenance: 'addTask changeTask count done history read readPhoto removeTask setBefore undo',
  management: 'disconnectPrinter discoverPrinters startPrinter',
  motion: 'extrude home motorsOff move read',
  night: 'read report',
  notify: 'addDevice changeDevice list readPush removeDevice testDevice', // devices: the operations check whose
  oauth: 'addGrant listGrants readRequest revokeGrant', // grants: the operations check whose
  openapi: 'readDocument',
  overview: 'read setTags summary',
  passkeys: 'add begin read remove require', // your own only
  people: 'changeOwnPassword whoAmI',
  'plate-change': 'explain list readPicture refill status try',
  print: 'clearError pause resume sendGcode setSpeed skipObjects stop',
  projects: 'giveUpStart openLayout openViewer previewMapping print readAll readInfo readJobInfo readJobProps readProps ' +
    'readThumbnail readTopView',
  queue: 'add board confirmPlateClear deleteFile fetchFile list listFiles pause readGroups readJob readPicture readWarming ' +
    'releasePrinter setFailureLimit setParts update',
  recording: 'changeSettings delete list read readFile readSettings start stop',
  relay: 'list',
  rules: 'accept add change check discard enable list proposals propose remove runs stop switch try vocabulary', // whose they are, they check
  slicing: 'acceptStartCode arrange cancel deleteModel listJobs listModels readJob readProfiles slice start',
  'spool-labels': 'draw list',
  'spool-scale': 'choose read',
  'spool-tags': 'read write',
  spools: 'accuracy add addPlace addType assign catalogue change changeMany changePlace changeType export find inventory list ' +
    'remove settle shopping throwAway weigh',
  standalone: 'checkHealth deleteFromCard dumpCollections fail fetchFromCard putOnCard readCard readPrinter readTelemetry ' +
    'refreshPrinter sendGcode setActiveTarget zoom',
  state: 'checkHealth listModels readAms readCapabilities readClimate readDocument readErrors readExternalSpools readFans ' +
    'readFirmware readInfo readJob readLight readPrinterState readProgress readSpools readTemperatures ' +
    'readWifi',
  system: 'changePluginSettings listConnections listPluginSettings listPrinters pauseSession ' +
    'readConnection readDefaultPrinter readLevel readPreference readServerInfo readSession refresh renamePrinter resumeSession storePreference toggleSession',
  telemetry: 'linkData linkHistory linkSeries readData readHistory readSeries',
  toolpath: 'draw layers objects progress summary track',
  updates: 'read'
}

/**
 * Operations of the whole service that are open to callers with some printers only: they read printers through their
 * context, filter by `sees`, or concern no printer.
 */
export const FOR_SOME_PRINTERS: ReadonlySet<string> = new Set(`
  health-model.readNetworks notify.addDevice notify.changeDevice notify.readPush notify.removeDevice notify.testDevice
  maintenance.count maintenance.done maintenance.history maintenance.read maintenance.readPhoto maintenance.setBefore maintenance.undo
  filament.list https.read oauth.addGrant oauth.listGrants oauth.readRequest oauth.revokeGrant state.listModels openapi.readDocument overview.read overview.summary passkeys.add passkeys.begin
  passkeys.read passkeys.remove passkeys.require people.changeOwnPassword people.whoAmI
  plate-change.list
  rules.accept rules.add rules.change rules.check rules.enable rules.list rules.proposals rules.propose rules.remove rules.runs rules.stop rules.try rules.vocabulary
  system.listPrinters system.readConnection system.readDefaultPrinter system.readServerInfo
`.trim().split(/\s+/))

/** Operations of one printer that also use something shared by all of them: the library of the queue, models. */
export const BEYOND_ONE_PRINTER: ReadonlySet<string> = new Set([
  'plate-change.try', 'queue.fetchFile', 'slicing.arrange', 'slicing.slice', 'slicing.start'
])

/**
 * Raw commands, which could print anything, and filament fed by hand: closed to callers with a budget, beside all that
 * is trusted.
 */
export const UNCOUNTED: ReadonlySet<string> =
  new Set(['motion.extrude', 'print.sendGcode', 'print.sendRequest', 'standalone.sendGcode'])

/** Changes that everyone may make regardless of role, as they affect only the caller. */
export const OWN_AFFAIRS: ReadonlySet<string> = new Set([
  'notify.addDevice', 'notify.changeDevice', 'notify.removeDevice', 'notify.testDevice', 'oauth.addGrant', 'oauth.revokeGrant',
  'passkeys.add', 'passkeys.begin', 'passkeys.remove', 'passkeys.require', 'people.changeOwnPassword'
])

const named = (groups: Readonly<Record<string, string>>, access: AccessLevel): [name: string, access: AccessLevel][] =>
  Object.entries(groups).flatMap(([group, names]) =>
    names.split(' ').map((name): [string, AccessLevel] => [`${group}.${name}`, access]))

/** Access level by the operation's name. */
export const OPERATIONS: Readonly<Record<string, AccessLevel>> =
  Object.assign(Object.create(null), Object.fromEntries([...named(NETWORK, 'network'), ...named(TRUSTED, 'trusted')]))

/** Access level of routes without an operation, by method and path. */
export const ROUTES: Readonly<Record<string, AccessLevel>> = Object.assign(Object.create(null), {
  'DELETE /api/file_transfers': 'network',
  'DELETE /mcp': 'network', // each tool has the access level of its operation
  'GET /': 'network',
  'GET /.well-known/oauth-authorization-server': 'network', // how programs get a grant of a user
  'GET /.well-known/oauth-protected-resource': 'network',
  'GET /.well-known/oauth-protected-resource/mcp': 'network',
  'GET /alerts': 'network',
  'GET /api/file_transfers': 'network',
  'GET /api/live': 'network',
  'GET /api/recordings/:id/file': 'network',
  'GET /api/slicing/jobs/:id/plate': 'network',
  'GET /api/upload_file_to_host': 'network', // into the uploads folder, which has a quota
  'GET /account': 'network', // a static document: its data routes show only the caller's own
  'GET /authorize': 'network', // the consent page: its data routes require a user
  'GET /backup': 'network', // a static document: its data routes are trusted
  'GET /charts': 'network',
  'GET /encryption': 'network',
  'GET /energy': 'network',
  'GET /explorer': 'network',
  'GET /fleet': 'network',
  'GET /grants': 'network', // a static document: its data routes show the caller's own
  'GET /share': 'network',
  'GET /history': 'network',
  'GET /homeassistant': 'network', // a static document: its data routes are trusted
  'GET /https/ca.crt': 'network', // a public certificate
  'GET /livez': 'network',
  'GET /login': 'network',
  'GET /login/openid': 'network', // the start of a login
  'GET /login/openid/callback': 'network',
  'GET /maintenance': 'network',
  'GET /mcp': 'network',
  'GET /messages': 'network', // a static document: its data routes require the right to change targets
  'GET /metrics': 'network',
  'GET /monitor': 'network',
  'GET /night': 'network', // a static document: its data routes require the right to see all printers
  'GET /people': 'network', // a static document: its data routes require the right to change users
  'GET /plate': 'network',
  'GET /plugins': 'trusted',
  'GET /plugins/http/identity': 'network', // proves possession of a secret without revealing it
  'GET /plugins/management': 'trusted',
  'GET /plugins/web/panels': 'network',
  'GET /printer': 'network',
  'GET /printers': 'network', // a static document: its data routes are trusted
  'GET /queue': 'network',
  'GET /queue/groups': 'network', // a static document: its data routes require the right to see all printers
  'GET /relay': 'network', // a static document: its data routes are trusted
  'GET /rules': 'network',
  'GET /readyz': 'network',
  'GET /recordings': 'network',
  'GET /settings': 'network',
  'GET /storage': 'network',
  'GET /plate-change': 'network',
  'GET /slice': 'network',
  'GET /spools': 'network',
  'GET /spools/:id': 'network',
  'GET /spools/labels': 'network',
  'GET /spools/scan': 'network',
  'GET /spools/drying': 'network',
  'GET /spools/tags': 'network',
  'GET /stream/:printer': 'network',
  'GET /stream/:printer/*': 'network',
  'GET /stream/:printer/annotated': 'network',
  'GET /stream/:printer/factors_radar': 'network',
  'GET /stream/:printer/health_panel': 'network',
  'GET /stream/:printer/index.html': 'network',
  'GET /stream/:printer/job_state': 'network',
  'GET /stream/:printer/layout': 'network',
  'GET /stream/:printer/open': 'network',
  'GET /stream/:printer/panels': 'network',
  'GET /stream/:printer/snapshot': 'network',
  'GET /stream/:printer/status': 'network',
  'GET /stream/:printer/stream': 'network',
  'GET /stream/:printer/stream.mp4': 'network',
  'GET /stream/:printer/thumbnail': 'network',
  'GET /sw.js': 'network',
  'GET /wall': 'network',
  'GET /welcome': 'network',
  'POST /api/maintenance/done/:id/photo': 'network', // at most 12 MiB, decoded and stored anew
  'POST /api/queue/files': 'network', // into the library, whose size is limited
  'POST /api/slicing/models': 'network', // into a folder whose size is limited
  'POST /api/rules/webhook/:secret': 'network', // its secret is what admits a caller
  'POST /api/socket_admission': 'network',
  'POST /api/socket_admission/new': 'network',
  'POST /api/spools/import': 'network', // at most 16 MiB
  'POST /api/upload_file_to_host': 'network',
  'POST /login': 'network',
  'POST /login/passkey': 'network',
  'POST /login/passkey/options': 'network',
  'POST /logout': 'network',
  'POST /mcp': 'network',
  'POST /plugins/management/:act': 'trusted',
  'POST /register': 'network', // the number of programs is limited
  'POST /revoke': 'network',
  'POST /token': 'network'
} satisfies Record<string, AccessLevel>)

/** Routes without an operation that change nothing, although their method is not GET. */
export const VIEWED: ReadonlySet<string> = new Set([
  'DELETE /mcp', // each tool needs the role for its operation
  'POST /api/socket_admission',
  'POST /api/socket_admission/new',
  'POST /mcp'
])

/** GET routes that change something. */
export const ACTING: ReadonlySet<string> = new Set(['GET /api/upload_file_to_host'])

/** Routes without an operation that are open to callers with some printers only: they reveal nothing of the others. */
export const ROUTES_FOR_SOME_PRINTERS: ReadonlySet<string> = new Set([
  'GET /monitor',
  ...Object.keys(ROUTES).filter(route => route.startsWith('GET /stream/:printer')),
  ...[...VIEWED].filter(route => route.endsWith('/mcp')),
  'GET /api/upload_file_to_host', // into a folder of the caller's own
  'POST /api/upload_file_to_host',
  'POST /api/maintenance/done/:id/photo', // of a printer that the caller sees
  ...['/', '/account', '/alerts', '/api/live', '/authorize', '/backup', '/charts', '/encryption', '/energy', '/fleet', '/grants',
    '/history', '/homeassistant', '/https/ca.crt', '/livez', '/maintenance', '/mcp', '/messages', '/night', '/people', '/plate', '/plate-change',
    '/printer', '/printers', '/queue', '/queue/groups', '/readyz',
    '/recordings', '/relay', '/rules', '/settings', '/share', '/spools', '/spools/:id', '/spools/labels', '/storage',
    '/spools/drying', '/spools/scan', '/spools/tags', '/sw.js', '/wall', '/welcome', '/plugins/web/panels'
  ].map(path => `GET ${path}`)
])
