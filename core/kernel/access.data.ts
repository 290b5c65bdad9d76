import type { AccessLevel } from './types.js'

// Who may use what without a token. Everything that the package brings is listed here, so that whoever adds something
// has to decide; plugins from outside declare it with their operations and routes.

/**
 * Only this machine: what reads or writes files of the host, holds or changes addresses, codes and certificates of
 * printers, shows or changes logs, or sends what nobody has checked.
 */
const TRUSTED: Readonly<Record<string, string>> = {
  audit: 'list',
  files: 'download upload',
  management: 'addPrinter removePrinter testPrinter updateCredentials',
  notify: 'sendTest',
  people: 'addKey addUser changeUser listKeys listUsers removeUser revokeKey',
  print: 'sendRequest',
  standalone: 'toggleVerbosity',
  system: 'dumpLog setLevel setVerbose tailLog truncateLog'
}

/** Everybody who reaches the service: reading and printing. */
const NETWORK: Readonly<Record<string, string>> = {
  alertlog: 'acknowledge count list',
  alerts: 'clear read take',
  camera: 'readStreamUrl snapshotLink startStream stopNamedStream stopStream takeSnapshot viewStream watch',
  charts: 'open readDocument readPage readPanels',
  climate: 'setBedTarget setChamberTarget setFan setLight setNozzleTarget toggleActiveTool',
  faults: 'ignore list',
  filament: 'chooseCalibration controlAms describeSlot describeTray list load loadWhenIdle scanTag setAmsSetting ' +
    'setKFactor startDryer stopDryer unload unloadWhenIdle',
  fleet: 'read',
  files: 'createFolder delete find list read receive rename uploadStored',
  hardware: 'configureNozzle readDetectors readNozzles refreshNozzles setDetector setFirstLayer setNozzle ' +
    'setPlateMarker setPrintOptions swapTool',
  health: 'analyzeJob openJobState',
  history: 'annotate delete export list read readPicture readStatistics readTelemetry readThumbnail reprint',
  management: 'disconnectPrinter discoverPrinters startPrinter',
  notify: 'list',
  openapi: 'readDocument',
  overview: 'read setTags',
  people: 'changeOwnPassword whoAmI',
  print: 'clearError pause resume sendGcode setSpeed skipObjects stop',
  projects: 'giveUpStart openLayout openViewer previewMapping print readAll readInfo readJobInfo readJobProps readProps ' +
    'readThumbnail readTopView',
  queue: 'add confirmPlateClear deleteFile fetchFile list listFiles pause readJob readPicture update',
  recording: 'changeSettings delete list read readFile readSettings start stop',
  relay: 'list',
  spools: 'add assign change list settle',
  standalone: 'checkHealth dumpCollections fail fetchFromCard putOnCard readCard readPrinter readTelemetry ' +
    'refreshPrinter sendGcode setActiveTarget zoom',
  state: 'checkHealth listModels readAms readCapabilities readClimate readDocument readErrors readExternalSpools readFans ' +
    'readFirmware readInfo readJob readLight readPrinterState readProgress readSpools readTemperatures ' +
    'readWifi',
  system: 'listConnections listPrinters pauseSession readConnection readDefaultPrinter readLevel readPreference readServerInfo ' +
    'readSession refresh renamePrinter resumeSession storePreference toggleSession',
  telemetry: 'linkData linkHistory linkSeries readData readHistory readSeries'
}

/**
 * Operations of the whole service for somebody who may use only some printers: they read printers through their
 * context, filter by `sees`, or concern no printer.
 */
export const FOR_SOME_PRINTERS: ReadonlySet<string> = new Set(`
  filament.list state.listModels openapi.readDocument overview.read people.changeOwnPassword people.whoAmI
  system.listPrinters system.readConnection system.readDefaultPrinter system.readServerInfo
`.trim().split(/\s+/))

/** Operations of one printer that also reach what belongs to all of them: the library of the queue. */
export const BEYOND_ONE_PRINTER: ReadonlySet<string> = new Set(['queue.fetchFile'])

/** What everybody may do whatever the role, though it changes something: it is their own. */
export const OWN_AFFAIRS: ReadonlySet<string> = new Set(['people.changeOwnPassword'])

const named = (groups: Readonly<Record<string, string>>, access: AccessLevel): [name: string, access: AccessLevel][] =>
  Object.entries(groups).flatMap(([group, names]) =>
    names.split(' ').map((name): [string, AccessLevel] => [`${group}.${name}`, access]))

/** By the operation's name. */
export const OPERATIONS: Readonly<Record<string, AccessLevel>> =
  Object.assign(Object.create(null), Object.fromEntries([...named(NETWORK, 'network'), ...named(TRUSTED, 'trusted')]))

/** Routes without an operation, by method and address. */
export const ROUTES: Readonly<Record<string, AccessLevel>> = Object.assign(Object.create(null), {
  'DELETE /api/file_transfers': 'network',
  'DELETE /mcp': 'network', // each tool has the access level of its operation
  'GET /': 'network',
  'GET /alerts': 'network',
  'GET /api/file_transfers': 'network',
  'GET /api/live': 'network',
  'GET /api/recordings/:id/file': 'network',
  'GET /api/upload_file_to_host': 'network', // into the uploads folder, which has a quota
  'GET /charts': 'network',
  'GET /explorer': 'network',
  'GET /fleet': 'network',
  'GET /history': 'network',
  'GET /livez': 'network',
  'GET /login': 'network',
  'GET /login/openid': 'network', // where people show who they are
  'GET /login/openid/callback': 'network',
  'GET /mcp': 'network',
  'GET /metrics': 'network',
  'GET /people': 'network', // a document without names: its routes are for those who may change users
  'GET /plugins': 'trusted',
  'GET /plugins/http/identity': 'network', // proves a secret without telling it
  'GET /plugins/management': 'trusted',
  'GET /plugins/web/panels': 'network',
  'GET /printer': 'network',
  'GET /queue': 'network',
  'GET /readyz': 'network',
  'GET /recordings': 'network',
  'GET /settings': 'network',
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
  'POST /api/queue/files': 'network', // into the library, which has a bound
  'POST /api/socket_admission': 'network',
  'POST /api/socket_admission/new': 'network',
  'POST /api/upload_file_to_host': 'network',
  'POST /login': 'network',
  'POST /logout': 'network',
  'POST /mcp': 'network',
  'POST /plugins/management/:act': 'trusted'
} satisfies Record<string, AccessLevel>)

/** Routes without an operation that change nothing, though they are not asked by GET. */
export const VIEWED: ReadonlySet<string> = new Set([
  'DELETE /mcp', // each tool needs the role for its operation
  'POST /api/socket_admission',
  'POST /api/socket_admission/new',
  'POST /mcp'
])

/** Routes that are asked by GET and change something. */
export const ACTING: ReadonlySet<string> = new Set(['GET /api/upload_file_to_host'])

/** Routes without an operation for somebody who may use only some printers: they show nothing of the others. */
export const ROUTES_FOR_SOME_PRINTERS: ReadonlySet<string> = new Set([
  ...Object.keys(ROUTES).filter(route => route.startsWith('GET /stream/:printer')),
  ...[...VIEWED].filter(route => route.endsWith('/mcp')),
  'GET /api/upload_file_to_host', // into a place of the caller's own
  'POST /api/upload_file_to_host',
  ...['/', '/alerts', '/api/live', '/charts', '/fleet', '/history', '/livez', '/mcp', '/people', '/printer', '/queue', '/readyz',
    '/recordings', '/settings', '/plugins/web/panels'].map(path => `GET ${path}`)
])
