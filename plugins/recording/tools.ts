import { Type } from 'typebox'
import { tool } from '../../core/index.js'
import {
  changeSettings, deleteRecording, listRecordings, readRecording, readSettings, startRecording, stopRecording
} from './operations.js'

const { printer: _, ...wanted } = listRecordings.input.properties

export default [
  tool(listRecordings, {
    name: 'list_recordings',
    limited: 'recordings',
    params: Type.Object({ ...wanted, name: Type.Optional(Type.String({ description: 'Only those of this printer' })) }),
    input: ({ name: printer, ...rest }) => printer === undefined ? rest : { ...rest, printer }
  }),
  tool(readRecording, { name: 'get_recording' }),
  tool(deleteRecording, { name: 'delete_recording', closedWorld: true }),
  tool(startRecording, { name: 'start_recording', idempotent: false }),
  tool(stopRecording, { name: 'stop_recording' }),
  tool(readSettings, { name: 'get_recording_settings' }),
  tool(changeSettings, { name: 'set_recording_settings', closedWorld: true })
]
