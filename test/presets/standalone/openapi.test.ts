import { join } from 'node:path'
import t from 'tap'
import { lint } from '../../helpers/redocly.js'
import { bootApp } from './boot.js'
import { testFolder } from '../../helpers/folder.js'

/** Every path of the interface; all by GET, these by POST too. */
const PATHS = `openapi.json docs printer health_check set_tool_target_temp set_bed_target_temp set_chamber_target_temp
  set_fan_speed_target set_aux_fan_speed_target set_exhaust_fan_speed_target print_3mf pause_printing resume_printing
  stop_printing skip_objects load_filament unload_filament refresh_spool_rfid set_spool_details set_spool_k_factor
  get_sdcard_contents refresh_sdcard_contents get_sdcard_3mf_files refresh_sdcard_3mf_files delete_sdcard_file
  make_sdcard_directory rename_sdcard_file upload_file_to_host upload_file_to_printer download_file_from_printer
  get_3mf_props_for_file get_current_3mf_props toggle_active_tool set_nozzle_details refresh_nozzles
  set_buildplate_marker_detector set_spaghetti_detector set_purgechutepileup_detector set_nozzleclumping_detector
  set_airprinting_detector send_ams_control_command set_ams_user_setting send_gcode set_print_option set_light_state
  set_speed_level get_all_data zoom_in zoom_out dump_data_ds.collections toggle_session trigger_printer_refresh
  toggle_verbosity dump_log truncate_log fake_error`.split(/\s+/)
const BOTH = ['upload_file_to_host', 'upload_file_to_printer', 'download_file_from_printer']

t.test('the description of the running routes has every one of them, and no faults', async t => {
  const app = await bootApp(t, { models: [] })
  const { text, body } = await app.get('openapi.json')
  t.equal(body.openapi, '3.0.3')
  t.equal(PATHS.length, 56)
  for (const name of PATHS) {
    const path = body.paths[`/api/${name}`]
    t.ok(path?.get, name)
    t.equal(path?.post !== undefined, BOTH.includes(name), `${name} by POST`)
    t.same(['patch', 'delete', 'put'].filter(method => method in (path ?? {})), [], `${name} otherwise`)
    const parameters = (path?.get.parameters ?? []) as { name: string }[]
    t.notOk(parameters.some(({ name }) => name === 'printer'), `${name} names no printer`)
  }
  const folder = testFolder(t, { 'openapi.json': text })
  t.same((await lint(join(folder, 'openapi.json'))).problems, [])
})

t.test('the page to explore them', async t => {
  const { kernel } = await bootApp(t, { models: [] })
  const { statusCode, headers } = await kernel.app.inject('/api/docs')
  t.equal(statusCode, 200)
  t.match(headers['content-type'], /^text\/html/)
  t.match((await kernel.app.inject('/api/docs/static/swagger-initializer.js')).body, /\/api\/openapi\.json/)
})
