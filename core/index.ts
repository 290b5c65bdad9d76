// The public surface of the package: a line here is an API decision.

export { VERSION, satisfies } from './version.js'
export { createKernel } from './kernel.js'
export type { Edges, Kernel } from './kernel.js'
export type { CallOptions } from './call.js'
export type { Limits } from './set-up.js'
export { definePlugin, definePreset, pluginNames } from './plugin.js'
export type {
  AnyPlugin, Contributed, Contributions, Events, Plugin, PluginContext, PluginEntry, PluginSpec, Preset, Services,
  Touches
} from './plugin.js'
export type { Bounds, Isolation, Part, PluginFault } from './isolate.js'
export { loadPlugin } from './loader.js'
export { pluginFacts } from './plugin-facts.js'
export type { PluginFacts } from './plugin-facts.js'
export { operation, policy, route, tool } from './operation.js'
export type {
  AnyOperation, ContextOf, DaemonContext, Effect, InputOf, Mapping, Method, Operation, OperationSpec, OutputOf,
  PrinterContext, Progress, Route, RouteFace, Scope, Tool, ToolFace
} from './operation.js'
export { notPrinting } from './guards.js'
export type { Guard } from './guards.js'
export {
  BadConfig, BadInput, CommandLost, Duplicate, NotConnected, NotFound, PrinterBusy, Refused, SendTimeout,
  SignatureRequired, UnsafeOutputPath, Unsupported, WriteFailed, defineError, errorCatalogue, isServiceError, sentenceOf
} from './errors.js'
export type { AnyErrorClass, ErrorClass, ServiceError } from './errors.js'
export { createEmitter } from './emitter.js'
export type { Dispose, Emitter, EventMap } from './emitter.js'
export { createPortPool } from './ports.js'
export type { PortLease, PortPool } from './ports.js'
export { configPath, defaultDataDir, editConfig, readConfig } from './config-file.js'
export type { ReadConfig } from './config-file.js'
export { ConfigSchema, PrinterSchema, environment, loadConfig, nameProblem } from './config.js'
export type { Config, PrinterEntry } from './config.js'
export { misfit } from './validate.js'
export { nearest } from './nearest.js'
export { jsonBytes, snapshot } from './bytes.js'
export { openJsonStore, privateFolder, writeJson } from './store.js'
export type { JsonStore } from './store.js'
export { fileWord, writePrivateFile } from './private-file.js'
export { openBrowser } from './open-browser.js'
export type { OpenBrowser } from './open-browser.js'
export { LEVELS } from './log.js'
export type { LevelName, LogGroup, Logs } from './log.js'
export { MASK } from './redact.js'
export type { Pins } from './pins.js'
export type { FaultAction, FaultTexts } from './faults/index.js'
export type { DefaultSource, PrinterRegistry } from './registry.js'
export { STANDARD_PORTS } from './printers.js'
export { openPrinterBook } from './printer-book.js'
export type { BookEntry, PrinterBook } from './printer-book.js'

// One printer
export { createSession } from './session/index.js'
export type { PinStore, RunningSession, SessionDeps } from './session/index.js'
export { SERVICE_STATES } from './session/types.js'
export type { PrinterConfig, PrinterSession, ServiceState, SessionEvents } from './session/types.js'
export { CARD_PROBLEM_CODES, CardProblem, cardPath, nameOf, newCardPath, parentOf } from './session/card/index.js'
export type {
  Card, CardCall, CardItem, CardProblemCode, CardProgress, CardSink, CardTransfer, CardWaits
} from './session/card/index.js'
export { wantsSignature } from './session/command.js'
export type { Command, CommandReply } from './session/command.js'
export { openTls, targetOf } from './session/open-tls.js'
export type { SecureConnection } from './session/tls.js'
export { ConnectProblem, PROBLEM_CODES } from './session/problem.js'
export type { ProblemCode, SessionProblem } from './session/problem.js'
export { modelByName, resolveModel } from './session/models.js'
export type { ModelInfo } from './session/models.js'
export type { Memory, ProjectFile, Refusal } from './session/state/memory.js'
export { rankFaults } from './session/state/errors.js'
export type { RankedFault } from './session/state/errors.js'
export { isActive, stageName } from './session/state/job.js'
export { isHolder, placeOfTray, spoolId, wireTrayId } from './session/state/spools.js'
export type * from './session/state/types.js'
