import t, { type Test } from 'tap'
import { createKernel, type Kernel } from '../../../core/index.js'
import daemon from '../../../presets/daemon/index.js'
import { testFolder } from '../../helpers/folder.js'

async function start (t: Test, limits?: object): Promise<Kernel> {
  const dataDir = testFolder(t)
  const kernel = await createKernel(daemon,
    { dataDir, log: { file: false }, ...(limits && { plugins: { http: { limits } } }) }, { configFile: `${dataDir}/config.json` })
  t.teardown(() => kernel.close())
  await kernel.start({ listen: false })
  return kernel
}

const ask = (kernel: Kernel, remoteAddress = '192.168.1.7', url = '/api/filament_catalog') =>
  kernel.app.inject({ url, remoteAddress })

t.test('who asks too often is told when to come back', async t => {
  const kernel = await start(t, { catalogue: 3 })
  for (let at = 0; at < 3; at++) {
    const { statusCode, headers } = await ask(kernel)
    t.equal(statusCode, 200)
    t.notOk(Object.keys(headers).some(name => name.includes('ratelimit')))
  }
  const { statusCode, headers, body } = await ask(kernel)
  t.equal(statusCode, 429)
  const seconds = Number(headers['retry-after'])
  t.ok(seconds >= 1 && seconds <= 60, `retry after ${seconds}`)
  t.match(JSON.parse(body), {
    status: 'error',
    error: 'too_many_requests',
    reason: `More than 3 such requests a minute came from this address; try again in ${seconds} s`,
    retry_after: seconds
  })
  t.equal((await ask(kernel, '192.168.1.8')).statusCode, 200, 'others are served')
  t.equal((await ask(kernel, '192.168.1.7', '/api/printers')).statusCode, 200, 'other routes are served')
})

t.test('programs that ask every second are never stopped', async t => {
  const kernel = await start(t)
  const statuses = new Set<number>()
  for (let at = 0; at < 300; at++) { // five of them, for a minute
    for (const url of ['/api/filament_catalog', '/api/printers']) {
      statuses.add((await ask(kernel, '127.0.0.1', url)).statusCode)
    }
  }
  t.same([...statuses], [200])
})

t.test('limits can be taken away, and only such that exist can be set', async t => {
  const kernel = await start(t, { catalogue: 0 })
  const replies = await Promise.all(Array.from({ length: 700 }, () => ask(kernel)))
  t.ok(replies.every(({ statusCode }) => statusCode === 200))
  await t.rejects(start(t, { catalog: 1 }), { code: 'PRN_ERR_PLUGIN_OPTIONS' })
  await t.rejects(start(t, { catalogue: -1 }), { code: 'PRN_ERR_PLUGIN_OPTIONS' })
})

t.test('every limited route exists', async t => {
  const kernel = await start(t, { catalogue: 1, pictures: 1, analysis: 1, uploads: 1, archives: 1 })
  const limited = ['/api/filament_catalog', '/api/snapshot', '/api/analyze_active_job', '/api/get_3mf_props_for_file',
    '/api/get_all_3mf_props_for_file'].filter(url => kernel.app.hasRoute({ method: 'GET', url }))
  for (const url of limited) {
    await ask(kernel, '10.0.0.1', url)
    t.equal((await ask(kernel, '10.0.0.1', url)).statusCode, 429, url)
  }
  t.ok(limited.length > 0)
})
