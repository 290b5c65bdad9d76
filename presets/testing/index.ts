// Helpers for tests of plugins, independent of the test runner.

export { boot } from './boot.js'
export type { Booted, BootOptions } from './boot.js'
export { eventually } from './eventually.js'
export { ask } from './http-request.js'
export type { Fields, HttpAnswer, HttpMethod } from './http-request.js'
export { askTool, connectClient } from '../../plugins/mcp/index.js'
export type { McpClient, ToolAnswer } from '../../plugins/mcp/index.js'
export { createManualClock, createVirtualPrinter, MODELS } from '../../plugins/emulator/index.js'
export type { ManualClock, ModelName, VirtualPrinter, VirtualPrinterOptions } from '../../plugins/emulator/index.js'
