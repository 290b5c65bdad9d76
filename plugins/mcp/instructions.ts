/** Said once to every client, so that no tool has to repeat it. */
export const INSTRUCTIONS = `prn monitors and controls Bambu Lab 3D printers on the local network.

- \`name\` is a configured printer name: get_configured_printers or the resource prn://printers lists them.
- Tools that change something on a printer need \`user_permission: true\`. Without it they do nothing and say what would happen. Set it only after the user agreed to that very act.
- Failures come as \`{"error": …}\` or as text starting with \`Error:\` or \`Blocked:\`. "not connected" means that there is no session for that name: check get_session_status.
- Readings are the last ones received. They go stale without an error while a session is paused or its connection is lost (recent_update is then false).
- Temperatures are °C, fans percent. Extruder 0 is right or only, 1 left. \`unit_id\` is the position in get_ams_units, or the raw ams_id (128 = first AMS HT).
- Before heating, moving or starting anything, read get_print_progress and get_hms_errors. Errors labelled Historical are not active.
- Large results may come as \`{compressed: true, encoding: "gzip+base64", data}\`.
- Subscribe to prn://printers/{name} to be told when its state changes.`
