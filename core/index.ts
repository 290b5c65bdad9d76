// The public surface of the package: a line here is an API decision.

export { VERSION, satisfies } from './kernel/version.js'
export { createKernel } from './kernel/kernel.js'
export type { KernelDependencies } from './kernel/kernel.js'
export type {
  AccessLevel, AnyOperation, AskedService, Caller, Rights, Role, CallOptions, ContextOf, Contributions, DaemonContext,
  DeclaredAccess, Effect,
  Events, Guard, InputOf, Kernel, Limits, Operation, OperationDone, OperationSpec, OutputOf, PluginManifest,
  PrinterContext, Progress, Scope, Services
} from './kernel/types.js'
export { definePlugin, definePreset } from './kernel/plugin.js'
export type {
  AnyPlugin, Contributed, Plugin, PluginContext, PluginEntry, PluginSpec, Preset
} from './kernel/plugin.js'
export { pluginNames, pluginsOf } from './kernel/resolve-plugins.js'
export type { FaultDetails, FaultGuard, GuardOptions, PluginFault, PluginFaults } from './kernel/plugin-faults.js'
export { loadPlugin, locatePlugin } from './kernel/loader.js'
export { pluginFacts } from './kernel/plugin-facts.js'
export type { PluginFacts } from './kernel/plugin-facts.js'
export { operation, policy, route, tool } from './kernel/operation.js'
export type { Mapping, Method, Route, RouteBinding, Tool, ToolBinding } from './kernel/operation.js'
export { nameOfCaller } from './kernel/call.js'
export { baseUrlFor } from './kernel/base-url.js'
export {
  AllPrintersOnly, checkAccess, checkOperation, checkRouteAccess, accessOf, accessOfRoute, lesserRole, mayUse, rightsOf,
  RoleTooLow, sees, TrustedOnly
} from './kernel/access.js'
export { viewFor } from './kernel/restricted.js'
export { hasCurrentState, notPrinting, requireCurrentState } from './kernel/guards.js'
export {
  BadConfig, BadInput, CommandLost, Duplicate, JobActive, NoPrinter, NotConnected, NotFound, PrinterBusy,
  PrinterClaimed, Refused, SendTimeout, ShuttingDown, SignatureRequired, StateNotCurrent, UnsafeOutputPath, Unsupported,
  WriteFailed, defineError, errorCatalogue, isBlocked, isServiceError, restoreError, sentenceOf
} from './errors.js'
export type { AnyErrorClass, ErrorClass, ServiceError } from './errors.js'
export { createEmitter } from './util/emitter.js'
export type { Dispose, Emitter, EventMap } from './util/emitter.js'
export { createPortPool } from './kernel/ports.js'
export type { PortLease, PortPool } from './kernel/ports.js'
export { configurationSchema, secretsIn, withoutSecrets } from './kernel/marked-secrets.js'
export { readSecret, Secret, SecretReference, secretOf } from './kernel/secret-reference.js'
export { configPath, defaultDataDir, editConfig, readConfig } from './kernel/config-file.js'
export type { ReadConfig } from './kernel/config-file.js'
export { ConfigSchema, PrinterSchema, loadConfig, nameProblem } from './kernel/config.js'
export type { Config, PrinterEntry } from './kernel/config.js'
export { changeTool, ToolChanging } from './printer/tool-change.js'
export { isNestedWithin, MOST_LEVELS, unknownName, validationError } from './util/validate.js'
export { closestMatch } from './util/did-you-mean.js'
export { askEach, askOwner } from './kernel/ask-services.js'
export { jsonBytes, immutableJson } from './util/json-cache.js'
export { openJsonStore, privateFolder, writeJson, writeOwnText } from './util/json-store.js'
export type { JsonStore } from './util/json-store.js'
export { lockFolder, readServiceFile } from './kernel/folder-lock.js'
export type { ServiceFile } from './kernel/folder-lock.js'
export { timeoutSignal } from './util/timeout-signal.js'
export { withTimeout } from './util/with-timeout.js'
export { toSafeFileName, writePrivateFile } from './util/private-file.js'
export { checkReplaceable, readNamedText, readOwnFile, readOwnText } from './util/own-file.js'
export { childEnvironment, environment } from './util/environment.js'
export type { Environment } from './util/environment.js'
export { createDiskLru } from './util/disk-lru.js'
export type { DiskLru } from './util/disk-lru.js'
export { createKeyedQueue } from './util/keyed-queue.js'
export type { KeyedQueue } from './util/keyed-queue.js'
export { createOptimisticSettings } from './util/optimistic-settings.js'
export type { OptimisticSettings } from './util/optimistic-settings.js'
export { openBrowser } from './util/open-browser.js'
export type { OpenBrowser } from './util/open-browser.js'
export { LEVELS } from './kernel/log.js'
export type { LevelName, LogGroup, Logs } from './kernel/log.js'
export { createRedactor, MASK } from './kernel/redact.js'
export type { ConnectionReport, Connections, ConnectionSpec, OutsideConnection } from './kernel/connections.js'
export { wordsOfFailure } from './util/failure-words.js'
export type { Pins } from './kernel/certificate-pins.js'
export type { HmsAction, HmsCatalogue } from './printer/hms/index.js'
export type { DefaultSource, PrinterRegistry } from './kernel/registry.js'
export { STANDARD_PORTS } from './kernel/resolve-printers.js'
export { openPrinterConfigStore } from './kernel/printer-config-store.js'
export type { StoredPrinter, PrinterConfigStore } from './kernel/printer-config-store.js'

// One printer
export { createSession } from './printer/index.js'
export type { PinStore, RunningSession, SessionDeps } from './printer/index.js'
export { SERVICE_STATES } from './printer/types.js'
export type {
  PrinterConfig, PrinterSession, RemoteCallOptions, RemoteHolder, ServiceState, SessionEvents
} from './printer/types.js'
export { createExclusiveLock } from './printer/exclusive-lock.js'
export { waitForState } from './printer/wait-for-state.js'
export { share } from './printer/state/structural-sharing.js'
export { SD_CARD_ERROR_CODES, SdCardError, cardPath, nameOf, newCardPath, parentOf } from './printer/ftp/index.js'
export type {
  SdCard, SdCardOptions, SdCardItem, SdCardErrorCode, SdCardProgress, SdCardSink, SdCardTransfer, SdCardTimeouts
} from './printer/ftp/index.js'
export type { ExclusiveOptions, Exclusively } from './printer/exclusive-lock.js'
export { wantsSignature } from './printer/mqtt/command.js'
export type { Command, CommandReply } from './printer/mqtt/command.js'
export { openTls, targetOf } from './printer/open-tls.js'
export { LOST_PIN, shellWord } from './printer/tls.js'
export type { SecureConnection } from './printer/tls.js'
export { ConnectionError, CONNECTION_ERROR_CODES, wordsOf } from './printer/connection-error.js'
export type { ConnectionErrorCode, SessionProblem } from './printer/connection-error.js'
export { modelByName, resolveModel } from './printer/models.js'
export type { ModelInfo } from './printer/models.js'
export { EMPTY_CONTEXT } from './printer/state/context.js'
export type { SessionContext, ProjectFile, Refusal } from './printer/state/context.js'
export { silenceLimitMs } from './printer/watchdog.js'
export { activeFaults, isCancelledByPerson, rankFaults } from './printer/state/errors.js'
export type { RankedFault } from './printer/state/errors.js'
export { elapsedMinutes, isActive, isStarting, isStartOf, jobNameKey, stageName } from './printer/state/job.js'
export { isHolder, placeOfTray, spoolId, wireTrayId } from './printer/state/spools.js'
export { AMS_MODELS, DRYER_STATES } from './printer/state/filament-types.js'
export type * from './printer/state/types.js'
