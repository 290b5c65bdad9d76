// The daemon and the standalone application name and count a few things differently.

const SPEEDS = ['quiet', 'standard', 'sport', 'ludicrous']
const upper = text => String(text).toUpperCase()

/** Translations for the standalone application; the page uses the daemon's names. */
const STANDALONE = {
  set_speed_level: ({ level, ...rest }) => ({ ...rest, level: String(SPEEDS.indexOf(level) + 1) }),
  print_3mf: ({ platenum = 1, plate = 'auto', ...rest }) => ({ ...rest, platenum: platenum - 1, plate: upper(plate) }),
  set_nozzle_details: ({ nozzle_type: type, ...rest }) => ({ ...rest, nozzle_type: upper(type) }),
  set_ams_user_setting: ({ setting, ...rest }) => ({ ...rest, setting: upper(setting) }),
  set_print_option: ({ option, ...rest }) => ({ ...rest, option: upper(option) }),
  send_ams_control_command: ({ cmd, ...rest }) => ({ ...rest, cmd: upper(cmd) }),
  set_spool_details: ({ tray_color: color, ...rest }) => ({ ...rest, ...(color && { tray_color: `#${color}` }) })
}

/** @param {object} paths of the API's description @returns whether this is the standalone application */
export const isStandalone = paths => {
  const { get, post } = paths['/api/pause_printing'] ?? {}
  return get !== undefined && post === undefined
}

/**
 * @param {string} name of a route, without `/api/`
 * @param {Record<string, unknown>} params in the daemon's form
 * @param {boolean} standalone
 */
export const adapt = (name, params, standalone) =>
  standalone && Object.hasOwn(STANDALONE, name) ? STANDALONE[name](params) : params
