// `npm run bench:agents`: gives the tasks to an agent and prints how it did. See docs/guides/agent-benchmark.md.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { boot } from '../../presets/testing/index.js'
import { referenceAgent } from './reference-agent.js'
import { markdownOf, runTasks, scoreOf, type Agent } from './run-tasks.js'
import { World } from './world.js'

const { values } = parseArgs({
  options: {
    agent: { type: 'string' },
    server: { type: 'string' },
    url: { type: 'string' },
    name: { type: 'string' },
    json: { type: 'string' },
    settle: { type: 'string', default: '1000' },
    timeout: { type: 'string', default: '300' }
  }
})

const READY_WITHIN_MS = 60_000
const LONGEST_ANSWER = 100_000

/** An agent that is a command: it gets TASK and MCP_URL, and what it prints is its answer. */
const commandAgent = (command: string): Agent => async ({ text }, url) => await new Promise((resolve, reject) => {
  const child = spawn(command, {
    shell: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: Number(values.timeout) * 1_000,
    env: { ...process.env, TASK: text, MCP_URL: url }
  })
  let answer = ''
  child.stdout.on('data', (data: Buffer) => { answer = (answer + data.toString()).slice(-LONGEST_ANSWER) })
  child.once('error', reject)
  child.once('close', () => { resolve(answer.trim()) })
})

/** Waits for a server that was started by a command. */
async function untilReady (url: string): Promise<void> {
  const endAt = performance.now() + READY_WITHIN_MS
  for (;;) {
    if (await fetch(url).then(() => true, () => false)) return
    if (performance.now() > endAt) throw new Error(`no server answers at ${url}`)
    await sleep(250)
  }
}

/** This service, a command with its own service, or one that runs already. */
async function startServer (world: World): Promise<{ url: string, stop: () => unknown }> {
  const { server, url = 'http://127.0.0.1:49152/mcp' } = values
  if (server === undefined && values.url === undefined) {
    const booted = await boot({ models: [], listen: true, config: { printers: world.configuration() } })
    return { url: `http://127.0.0.1:${booted.kernel.apiPort}/mcp`, stop: booted.close }
  }
  const folder = await mkdtemp(join(tmpdir(), 'prnd-bench-'))
  const file = join(folder, 'printers.json')
  await writeFile(file, JSON.stringify({ printers: world.configuration() }, null, 2))
  console.error(`The printers are described in ${file}`)
  const child = server === undefined
    ? undefined
    : spawn(server, {
      shell: true, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, PRINTERS_FILE: file, MCP_URL: url }
    })
  await untilReady(url)
  const stop = async () => {
    child?.kill()
    await rm(folder, { recursive: true, force: true })
  }
  return { url, stop }
}

const world = new World(Number(values.settle))
await world.start()
const server = await startServer(world)
await sleep(Number(values.settle) * 3)
const who = values.name ?? values.agent ?? 'reference'
const agent = values.agent === undefined ? referenceAgent : commandAgent(values.agent)
const results = await runTasks(world, server.url, agent)
console.log(markdownOf(results, who))
if (values.json !== undefined) {
  const report = { agent: who, score: scoreOf(results), of: results.length, results }
  await writeFile(values.json, JSON.stringify(report, null, 2))
}
await server.stop()
await world.stop()
process.exit(0)
