// What the tables of this folder leave out, because it wants something that must exist first, named in the address or
// by an argument: it has tests of its own, and here it only counts as known.

/** Tried in test/plugins, by the name of the plugin. */
export const ROUTES_TRIED_ELSEWHERE: readonly string[] = [
  'GET /api/fleet', 'GET /api/fleet/summary', 'PATCH /api/fleet/tags', 'GET /api/alert_log', 'GET /api/alert_log/count', 'POST /api/alert_log/acknowledge',
  'GET /api/ignored_faults', 'POST /api/ignore_fault',
  'GET /api/plugin_settings', 'PATCH /api/plugin_settings',
  'GET /api/messages', 'POST /api/messages/test', 'GET /api/messages/setup', 'PATCH /api/messages/quiet',
  'POST /api/messages/targets', 'PATCH /api/messages/targets', 'DELETE /api/messages/targets', 'POST /api/messages/targets/test',
  'GET /api/messages/push', 'POST /api/messages/push', 'PATCH /api/messages/push', 'DELETE /api/messages/push', 'POST /api/messages/push/test',
  'GET /api/recordings', 'POST /api/recordings', 'GET /api/recordings/:id', 'DELETE /api/recordings/:id',
  'POST /api/recordings/:id/stop', 'GET /api/recording_settings', 'PATCH /api/recording_settings',
  'GET /api/history', 'GET /api/history/:id', 'PATCH /api/history/:id', 'DELETE /api/history/:id',
  'POST /api/history/:id/reprint', 'POST /api/give_up_start',
  'GET /api/history/:id/thumbnail', 'GET /api/history/:id/picture',
  'GET /api/history/:id/telemetry', 'GET /api/history/statistics', 'GET /api/history/summary', 'GET /api/history/time', 'GET /api/history/export',
  'GET /api/queue', 'GET /api/queue/board', 'POST /api/queue', 'GET /api/queue/jobs/:id', 'PATCH /api/queue/jobs/:id', 'POST /api/queue/pause',
  'POST /api/queue/plate_clear', 'GET /api/queue/files', 'POST /api/queue/files', 'POST /api/queue/files/card', 'DELETE /api/queue/files/:id',
  'GET /api/queue/files/:id/picture', 'GET /api/fleet/nodes', 'GET /api/relay',
  'GET /api/audit', 'GET /api/people/me', 'POST /api/people/me/password',
  'GET /api/people/users', 'POST /api/people/users', 'PATCH /api/people/users', 'DELETE /api/people/users',
  'GET /api/people/me/passkeys', 'POST /api/people/me/passkeys/options', 'POST /api/people/me/passkeys',
  'DELETE /api/people/me/passkeys', 'PATCH /api/people/me/passkeys', 'DELETE /api/people/users/passkeys',
  'GET /api/oauth/request', 'GET /api/oauth/grants', 'POST /api/oauth/grants', 'DELETE /api/oauth/grants',
  'GET /api/people/keys', 'POST /api/people/keys', 'PATCH /api/people/keys', 'DELETE /api/people/keys',
  'GET /api/setup/printers', 'POST /api/setup/printers', 'PATCH /api/setup/printers', 'DELETE /api/setup/printers',
  'POST /api/setup/printers/try', 'POST /api/setup/printers/test', 'POST /api/setup/printers/rename',
  'POST /api/setup/printers/import', 'POST /api/setup/printers/discover', 'POST /api/setup/printers/detect',
  'GET /api/setup/access', 'PATCH /api/setup/access',
  'GET /api/https', 'GET /api/backup', 'POST /api/backup', 'GET /api/backup/:id', 'PATCH /api/backup/nightly',
  'GET /api/homeassistant', 'POST /api/homeassistant', 'DELETE /api/homeassistant', 'POST /api/homeassistant/test',
  'GET /api/health/networks', 'POST /api/health/networks', 'DELETE /api/health/networks', 'POST /api/health/networks/try',
  'POST /api/health/networks/cancel', 'POST /api/health/runtime', 'POST /api/health/remote', 'DELETE /api/health/remote',
  'GET /api/slicing/models', 'POST /api/slicing/models', 'DELETE /api/slicing/models/:id', 'GET /api/slicing/profiles',
  'POST /api/slicing/profiles', 'DELETE /api/slicing/profiles/:id', 'POST /api/slicing/start_code',
  'POST /api/slicing/arrange', 'POST /api/slicing/jobs', 'GET /api/slicing/jobs',
  'GET /api/slicing/jobs/:id', 'DELETE /api/slicing/jobs/:id', 'GET /api/slicing/jobs/:id/plate',
  'GET /api/spools', 'POST /api/spools', 'PATCH /api/spools/:id', 'POST /api/spools/assign', 'POST /api/spools/settle',
  'GET /api/spool_labels', 'GET /api/spool_labels/sheets',
  'GET /api/spool_tags', 'GET /api/spool_tags/:spool', 'GET /api/spool_tags/:spool/file',
  'GET /api/spools/inventory', 'GET /api/spools/:id', 'DELETE /api/spools/:id', 'POST /api/spools/:id/weigh',
  'POST /api/spools/:id/throw', 'POST /api/spools/many', 'POST /api/spools/types', 'PATCH /api/spools/types',
  'POST /api/spools/places', 'PATCH /api/spools/places', 'GET /api/spools/accuracy', 'GET /api/spools/catalogue',
  'GET /api/rules', 'POST /api/rules', 'PATCH /api/rules', 'DELETE /api/rules', 'POST /api/rules/enable', 'GET /api/rules/vocabulary',
  'POST /api/rules/check', 'POST /api/rules/try', 'GET /api/rules/runs', 'POST /api/rules/stop', 'PATCH /api/rules/service',
  'GET /api/rules/proposals', 'POST /api/rules/propose', 'POST /api/rules/proposals/accept', 'POST /api/rules/proposals/discard',
  'GET /api/spools/shopping', 'GET /api/spools/export', 'POST /api/spools/import'
]

/** Tried in test/plugins: people, faults, system, recording, notify, history, queue, slicing and spools. */
export const TOOLS_TRIED_ELSEWHERE: readonly string[] = [
  'list_ignored_faults', 'ignore_fault', 'list_connections',
  'list_messages', 'send_test_message',
  'list_recordings', 'get_recording', 'delete_recording', 'start_recording', 'stop_recording',
  'get_recording_settings', 'set_recording_settings',
  'list_prints', 'get_print', 'print_statistics', 'annotate_print', 'reprint', 'delete_print',
  'list_queue', 'queue_job', 'update_job', 'cancel_job', 'explain_waiting', 'confirm_plate_clear',
  'pause_queue', 'list_sliced_files', 'give_up_start',
  'list_rules', 'explain_rule_runs', 'check_rule', 'try_rule', 'propose_rule',
  'who_am_i', 'list_spools', 'assign_spool', 'list_slicing_profiles', 'arrange_models', 'slice_model'
]
