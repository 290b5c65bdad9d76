import { tool } from '../../core/index.js'
import { changeNight, readNight, readReport } from './operations.js'

const onRequest = true

export default [
  tool(readReport, {
    name: 'morning_report', description: 'What was printed, what failed, what needs a person', errors: 'coded', less: 'another time', onRequest
  }),
  tool(readNight, { name: 'get_night_settings', description: 'Quiet hours, morning report, watch', errors: 'coded', onRequest }),
  tool(changeNight, { name: 'set_night_settings', description: 'Change quiet hours, morning report or watch', errors: 'coded', onRequest })
]
