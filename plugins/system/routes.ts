import { Type } from 'typebox'
import { BadInput, LEVELS, ok, route, type LevelName } from '../../core/index.js'
import { listConnections } from './operations/connections.js'
import { changePluginSettings, listPluginSettings } from './operations/plugin-settings.js'
import { readPreference, storePreference } from './operations/preferences.js'
import { dumpLog, readLevel, readServerInfo, setLevel, truncateLog } from './operations/server.js'
import { Level } from './schemas.js'
import {
  listPrinters, newName, readDefaultPrinter, readSession, refresh, renamePrinter, setVerbose, toggleSession
} from './operations/sessions.js'

const tag = 'System'
const PLAIN_TEXT = Type.Unsafe<string>({ content: { 'text/plain': { schema: { type: 'string' } } } })
const Status = { status: Type.Literal('success') }

function levelOf (text: string | undefined): LevelName {
  const level = LEVELS.find(known => known === text?.trim().toUpperCase())
  if (level === undefined) throw new BadInput(`level must be one of ${LEVELS.join(', ')}`)
  return level
}

function verboseOf (value: unknown): boolean {
  const word = typeof value === 'boolean' || typeof value === 'string' ? String(value).trim().toLowerCase() : ''
  if (word !== 'true' && word !== 'false') throw new BadInput('verbose must be true or false')
  return word === 'true'
}

const filled = (...values: readonly (string | undefined)[]) => values.every(value => value !== undefined && value !== '')

export default [
  route(listConnections, { method: 'GET', path: '/connections', tag }),
  route(readDefaultPrinter, { method: 'GET', path: '/default_printer', tag }),
  route(dumpLog, {
    method: 'GET',
    path: '/dump_log',
    tag,
    body: PLAIN_TEXT,
    reply: (text, _, response) => response.type('text/plain; charset=utf-8').send(text)
  }),
  route(readLevel, { method: 'GET', path: '/log_level', tag }),
  route(listPluginSettings, { method: 'GET', path: '/plugin_settings', tag }),
  route(changePluginSettings, { method: 'PATCH', path: '/plugin_settings', tag }),
  route(listPrinters, { method: 'GET', path: '/printers', tag }),
  route(renamePrinter, {
    method: 'PATCH',
    path: '/rename_printer',
    tag,
    params: Type.Object({ new_name: Type.Optional(Type.String({ description: 'The new display name', 'x-openapi': { required: true } })) }),
    input: ({ new_name: name = '' }) => ({ name: newName(name) }),
    reply: ok
  }),
  route(readServerInfo, { method: 'GET', path: '/server_info', tag }),
  route(readSession, { method: 'GET', path: '/session_status', tag }),
  route(setVerbose, {
    method: 'POST',
    path: '/set_bpm_verbose',
    tag,
    params: Type.Object({
      verbose: Type.Optional(Type.Unknown({
        description: 'Log raw payloads',
        'x-openapi': { required: true, type: 'boolean' }
      }))
    }),
    input: ({ verbose }) => ({ verbose: verboseOf(verbose) }),
    body: Type.Object({ ...Status, printer: Type.String(), verbose: Type.Boolean() }),
    reply: outcome => ({ status: 'success', ...outcome })
  }),
  route(setLevel, {
    method: 'POST',
    path: '/set_log_level',
    tag,
    params: Type.Object({
      level: Type.Optional(Type.String({ description: 'Level of the service', 'x-openapi': { required: true, enum: LEVELS } })),
      bpm_level: Type.Optional(Type.String({
        description: 'Level of the printer sessions; unchanged when left out',
        'x-openapi': { enum: LEVELS }
      }))
    }),
    input: ({ level, bpm_level: printers }) =>
      ({ level: levelOf(level), ...(printers !== undefined && { printers: levelOf(printers) }) }),
    body: Type.Object({
      ...Status,
      level: Level,
      bpm_level: Type.Union([Level, Type.Null()], { description: 'null: unchanged' })
    }),
    reply: ({ level, printers }) => ({ status: 'success', level, bpm_level: printers })
  }),
  route(toggleSession, {
    method: 'PATCH',
    path: '/toggle_session',
    tag,
    body: Type.Object({ ...Status, state: Type.String({ description: 'CONNECTED or PAUSED' }) }),
    reply: ({ state }) => ({ status: 'success', state })
  }),
  route(refresh, { method: 'POST', path: '/trigger_printer_refresh', tag, reply: ok }),
  route(truncateLog, { method: 'DELETE', path: '/truncate_log', tag, reply: ok }),
  route(readPreference, {
    method: 'GET',
    path: '/user_prefs',
    tag,
    params: Type.Object({
      printer: Type.Optional(Type.String({ description: 'Any name; it is not checked', 'x-openapi': { required: true } })),
      key: Type.Optional(Type.String({ description: 'Such as bed_leveling', 'x-openapi': { required: true } }))
    }),
    input ({ printer = '', key = '' }) {
      if (!filled(printer, key)) throw new BadInput('printer and key are required')
      return { printer, key }
    }
  }),
  route(storePreference, {
    method: 'POST',
    path: '/user_prefs',
    tag,
    params: Type.Object({
      printer: Type.Optional(Type.String({ description: 'Any name; it is not checked', 'x-openapi': { required: true } })),
      key: Type.Optional(Type.String({ description: 'Such as bed_leveling', 'x-openapi': { required: true } })),
      value: Type.Optional(Type.Unknown({
        description: 'Any JSON value; a text in form and query',
        'x-openapi': { required: true }
      }))
    }),
    input ({ printer = '', key = '', value }) {
      if (!filled(printer, key) || value === undefined) throw new BadInput('printer, key, and value are required')
      return { printer, key, value }
    },
    body: Type.Object({ success: Type.Literal(true) }),
    reply: () => ({ success: true })
  })
]
