// The daemon and the application for one printer name and count a few things differently.

const SPEEDS = ['quiet', 'standard', 'sport', 'ludicrous']
const upper = text => String(text).toUpperCase()

/** How the application for one printer wants what differs; the page speaks as the daemon does. */
const STANDALONE = {
  set_speed_level: ({ level, ...rest }) => ({ ...rest, level: String(SPEEDS.indexOf(level) + 1) }),
  print_3mf: ({ platenum = 1, plate = 'auto', ...rest }) => ({ ...rest, platenum: platenum - 1, plate: upper(plate) }),
  set_nozzle_details: ({ nozzle_type: type, ...rest }) => ({ ...rest, nozzle_type: upper(type) }),
  set_ams_user_setting: ({ setting, ...rest }) => ({ ...rest, setting: upper(setting) }),
  set_print_option: ({ option, ...rest }) => ({ ...rest, option: upper(option) }),
  send_ams_control_command: ({ cmd, ...rest }) => ({ ...rest, cmd: upper(cmd) }),
  set_spool_details: ({ tray_color: color, ...rest }) => ({ ...rest, ...(color && { tray_color: `#${color}` }) })
}

/** @param {object} paths of the API's description @returns whether this is the application for one printer */
export const isStandalone = paths => {
  const { get, post } = paths['/api/pause_printing'] ?? {}
  return get !== undefined && post === undefined
}

/**
 * @param {string} name of a route, without `/api/`
 * @param {Record<string, unknown>} params as the daemon takes them
 * @param {boolean} standalone
 */
export const adapt = (name, params, standalone) =>
  standalone && Object.hasOwn(STANDALONE, name) ? STANDALONE[name](params) : params
