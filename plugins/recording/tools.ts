import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import {
  changeSettings, deleteRecording, listRecordings, readRecording, readSettings, startRecording, stopRecording
} from './operations.js'

const { printer: _, ...wanted } = listRecordings.input.properties

export default [
  tool(listRecordings, {
    name: 'list_recordings',
    onRequest: true,
    limited: 'recordings',
    params: Type.Object({ ...wanted, name: Type.Optional(Type.String({ description: 'Only those of this printer' })) }),
    input: ({ name: printer, ...rest }) => printer === undefined ? rest : { ...rest, printer }
  }),
  tool(readRecording, { name: 'get_recording', onRequest: true }),
  tool(deleteRecording, { name: 'delete_recording', onRequest: true, closedWorld: true }),
  tool(startRecording, { name: 'start_recording', onRequest: true, idempotent: false }),
  tool(stopRecording, { name: 'stop_recording', onRequest: true }),
  tool(readSettings, { name: 'get_recording_settings', onRequest: true }),
  tool(changeSettings, { name: 'set_recording_settings', onRequest: true, closedWorld: true })
]
