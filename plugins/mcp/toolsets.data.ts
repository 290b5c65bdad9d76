/**
 * Toolsets by purpose. Each also includes the tools of the plugin with the same name, if any; every other plugin's name
 * is a toolset of its own.
 */
export const TOOLSETS: Readonly<Record<string, readonly string[]>> = {
  watch: [
    'get_configured_printers', 'get_session_status', 'get_printer_state', 'get_print_progress', 'get_job_info',
    'get_temperatures', 'get_spool_info', 'get_hms_errors', 'get_pending_alerts', 'get_snapshot', 'analyze_active_job'
  ],
  print: [
    'get_configured_printers', 'get_print_progress', 'get_hms_errors', 'list_sdcard_files', 'get_project_info',
    'get_plate_thumbnail', 'get_spool_info', 'preview_ams_mapping', 'check_plate', 'print_file'
  ],
  climate: [
    'get_configured_printers', 'get_temperatures', 'get_climate', 'get_fan_speeds', 'get_chamber_light',
    'get_ams_units', 'start_ams_dryer', 'stop_ams_dryer'
  ],
  filament: ['get_configured_printers', 'get_spool_info', 'get_ams_units', 'get_external_spool'],
  files: [
    'get_configured_printers', 'get_project_info', 'get_all_project_info', 'get_plate_thumbnail', 'get_plate_topview'
  ],
  admin: [
    'get_configured_printers', 'get_session_status', 'get_printer_connection_status', 'get_server_info', 'list_connections',
    'get_printer_info', 'get_capabilities', 'get_firmware_version', 'get_wifi_signal', 'get_hms_errors', 'dump_log',
    'discover_printers', 'add_printer', 'update_printer_credentials', 'start_printer', 'disconnect_printer',
    'remove_printer', 'rename_printer', 'pause_mqtt_session', 'resume_mqtt_session', 'force_state_refresh'
  ],
  /** With `find_tools`, which finds all others. */
  start: [
    'get_configured_printers', 'get_print_progress', 'get_job_info', 'get_temperatures', 'get_spool_info',
    'get_hms_errors', 'get_pending_alerts', 'get_snapshot', 'list_sdcard_files', 'get_project_info',
    'preview_ams_mapping', 'check_plate', 'print_file', 'pause_print', 'resume_print', 'stop_print',
    'clear_print_error', 'list_queue', 'queue_job', 'cancel_job', 'explain_waiting', 'list_sliced_files', 'list_prints',
    'get_print', 'reprint', 'list_spools'
  ]
}
