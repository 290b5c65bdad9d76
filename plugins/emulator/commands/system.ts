import { isJson } from '../json-merge.js'
import type { Machine } from '../machine/types.js'
import { setField, setSetting } from '../machine/bit-fields.js'
import { integer, text } from '../request.js'
import { setAccessories } from './nozzle.js'
import { done, outOfRange, refused, type Body, type Handlers, type Reply } from './reply.js'

const LIGHT_MODES = ['on', 'off', 'flashing']
/** Nodes that are accepted without an error, fitted or not. */
const KNOWN_NODES = ['chamber_light', 'chamber_light2', 'column_light', 'work_light', 'heatbed_light']
const LIGHT_BIT = 7

function light (m: Machine, body: Body): Reply {
  const node = text(body.led_node) ?? ''
  const mode = text(body.led_mode) ?? ''
  if (!KNOWN_NODES.includes(node) || !LIGHT_MODES.includes(mode)) {
    return refused({ result: 'failed', reason: 'invalid parameter' })
  }
  const lights = Array.isArray(m.fields.lights_report) ? m.fields.lights_report.filter(isJson) : []
  m.fields = { ...m.fields, lights_report: lights.map(entry => entry.node === node ? { node, mode } : entry) }
  if (node === 'chamber_light') setField(m, 'cfg', LIGHT_BIT, 1, mode === 'off' ? 0 : 1)
  return done()
}

function doorReaction (m: Machine, body: Body): Reply {
  const config = integer(body.config)
  if (config === undefined || config < 0 || config > 2) return outOfRange()
  setField(m, 'cfg', 20, 2, config)
  return done()
}

function keepFiles (m: Machine, { config }: Body): Reply {
  setSetting(m, { home: 11, cfg: 19 }, config === true)
  return done()
}

/** Closes a dialog; the printer does not answer. */
function closeDialog (m: Machine, { name, err }: Body): undefined {
  if (name === 'print_error' && Number.parseInt(text(err) ?? '', 16) === m.printError) m.printError = 0
  return undefined
}

export const system: Handlers = {
  ledctrl: light,
  set_accessories: setAccessories,
  set_door_stat: doorReaction,
  print_cache_set: keepFiles,
  uiop: closeDialog,
  get_access_code: m => done({ access_code: m.accessCode })
}

/** A rename has no command name; it is the whole section. */
export function rename (m: Machine, body: Body): Reply {
  const name = text(body.name)?.trim() ?? ''
  if (name === '') return refused({ reason: 'invalid name' })
  m.name = name
  return done({ reason: 'success' })
}
