// What the tables of this folder leave out, because it wants something that must exist first, named in the address or
// by an argument: it has tests of its own, and here it only counts as known.

/** Tried in test/plugins/recording and test/plugins/notify. */
export const ROUTES_TRIED_ELSEWHERE: readonly string[] = [
  'GET /api/messages', 'POST /api/messages/test',
  'GET /api/recordings', 'POST /api/recordings', 'GET /api/recordings/:id', 'DELETE /api/recordings/:id',
  'POST /api/recordings/:id/stop', 'GET /api/recording_settings', 'PATCH /api/recording_settings'
]

/** Tried in test/plugins/recording and test/plugins/notify. */
export const TOOLS_TRIED_ELSEWHERE: readonly string[] = [
  'list_messages', 'send_test_message',
  'list_recordings', 'get_recording', 'delete_recording', 'start_recording', 'stop_recording',
  'get_recording_settings', 'set_recording_settings'
]
