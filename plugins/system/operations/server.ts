import { statSync } from 'node:fs'
import { Type } from 'typebox'
import { operation, pluginProblems, readNamedText } from '../../../core/index.js'
import { Level, LogTail, ServerInfo } from '../schemas.js'

export const readServerInfo = operation({
  name: 'system.readServerInfo',
  summary: 'API port, port pool and running streams',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: ServerInfo,
  run ({ kernel, services, baseUrl, sees }) {
    const { start, end, claimed } = kernel.ports
    const size = end - start + 1
    const streams = Object.fromEntries(
      Object.entries(services.system.streams(baseUrl)).filter(([printer]) => sees(printer)))
    const problems = pluginProblems(kernel)
    return {
      api_port: kernel.apiPort,
      api_url: `${baseUrl}/api`,
      pool_start: start,
      pool_end: end,
      pool_size: size,
      pool_available: Math.max(0, size - claimed.length),
      pool_claimed: [...claimed],
      stream_count: Object.keys(streams).length,
      streams,
      ...(problems.length > 0 && { plugin_problems: problems })
    }
  }
})

export const readLevel = operation({
  name: 'system.readLevel',
  summary: 'Log level of the service',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.Object({ status: Type.String(), level: Level }),
  run: ({ kernel }) => ({ status: 'success', level: kernel.logs.level('service') })
})

export const setLevel = operation({
  name: 'system.setLevel',
  summary: 'Set the log levels of the service and of the printer sessions',
  effect: 'local',
  record: true,
  scope: 'daemon',
  input: Type.Object({ level: Level, printers: Type.Optional(Level) }),
  output: Type.Object({ level: Level, printers: Type.Union([Level, Type.Null()]) }),
  run ({ kernel }, { level, printers }) {
    kernel.logs.setLevel('service', level)
    if (printers !== undefined) kernel.logs.setLevel('printers', printers)
    return { level, printers: printers ?? null }
  }
})

/** Only this much of a larger log is read, from its end. */
const MOST_BYTES = 16 * 1024 * 1024

/** @returns undefined when there is no log, or when it goes to a terminal or a pipe, which cannot be read back */
async function readLog (path: string | undefined): Promise<string | undefined> {
  const info = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })
  if (path === undefined || info === undefined || !(info.isFile() || info.isDirectory())) return undefined
  const text = await readNamedText(path)
  return text.length <= MOST_BYTES ? text : text.slice(-MOST_BYTES)
}

/** The whole log; empty when there is none. Lines are masked when written, and again here. */
export const dumpLog = operation({
  name: 'system.dumpLog',
  summary: 'The server log',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({}),
  output: Type.String(),
  run: async ({ kernel }) => kernel.redact(await readLog(kernel.logs.path) ?? '')
})

export const tailLog = operation({
  name: 'system.tailLog',
  summary: 'The last lines of the server log',
  effect: 'read',
  scope: 'daemon',
  input: Type.Object({ lines: Type.Integer({ description: '0 = the whole file' }) }),
  output: LogTail,
  async run ({ kernel }, { lines: wanted }) {
    const path = kernel.logs.path ?? ''
    const text = await readLog(kernel.logs.path)
    if (text === undefined) return { lines: [], total_lines: 0, log_path: path, note: 'There is no log file yet.' }
    const all = kernel.redact(text).split('\n').filter(line => line !== '')
    const lines = wanted === 0 ? all : all.slice(-Math.abs(wanted))
    return { lines, total_lines: lines.length, log_path: path }
  }
})

export const truncateLog = operation({
  name: 'system.truncateLog',
  summary: 'Empty the server log',
  effect: 'destructive',
  scope: 'daemon',
  consequence: 'The server log is emptied; its entries cannot be recovered.',
  input: Type.Object({}),
  output: Type.Object({ path: Type.String() }),
  async run ({ kernel }) {
    await kernel.logs.truncate()
    return { path: kernel.logs.path ?? '' }
  }
})
