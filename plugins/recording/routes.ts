import { route } from '../../core/index.js'
import {
  changeSettings, deleteRecording, listRecordings, readRecording, readSettings, startRecording, stopRecording
} from './operations.js'

const tag = 'Camera'

export default [
  route(listRecordings, { method: 'GET', path: '/recordings', tag }),
  route(readRecording, { method: 'GET', path: '/recordings/:id', tag }),
  route(startRecording, { method: 'POST', path: '/recordings', tag }),
  route(stopRecording, { method: 'POST', path: '/recordings/:id/stop', tag }),
  route(deleteRecording, { method: 'DELETE', path: '/recordings/:id', tag }),
  route(readSettings, { method: 'GET', path: '/recording_settings', tag }),
  route(changeSettings, { method: 'PATCH', path: '/recording_settings', tag })
]
