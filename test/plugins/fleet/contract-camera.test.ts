import t from 'tap'
import { HTTP } from '../../contract/http.data.js'
import { routesWork } from '../../contract/http.good.js'
import { isOf } from '../../contract/rows.js'
import { TOOLS } from '../../contract/tools.data.js'
import { toolsWork } from '../../contract/tools.good.js'
import { NO_NATS } from '../../helpers/nats.js'
import { ownPorts } from '../../helpers/ports.js'
import { findProgram } from '../../helpers/programs.js'
import { startAtHub } from './at-hub.js'
import { readsAreSame, toolReadsAreSame } from './same.js'

const ROUTES = HTTP.filter(isOf('camera', 'health'))
const ROWS = TOOLS.filter(isOf('camera', 'health'))
const NO_FFMPEG = findProgram('ffmpeg') === undefined && 'half of the families show video, which takes ffmpeg'

t.test('cameras and judgements at a hub', { skip: NO_NATS || NO_FFMPEG }, async t => {
  const both = await startAtHub(t, { ports: ownPorts(0, 20) })

  await t.test('what is read is the same, but for the pictures', t => readsAreSame(t, both, ROUTES))

  await t.test('and what tools read', t => toolReadsAreSame(t, both, ROWS))

  await t.test('every route does there what it says', t => routesWork(t, both.atHub, ROUTES))

  await t.test('every tool does', t => toolsWork(t, both.atHub, ROWS))
})
