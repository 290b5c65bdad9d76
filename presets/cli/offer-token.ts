import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import {
  defaultDataDir, editConfig, privateFolder, readConfig, timeoutSignal, writeJson, type Config
} from '../../core/index.js'

/** An interactive terminal. */
export interface Terminal {
  say (line: string): void
  /** @returns undefined without an answer in time */
  ask (question: string): Promise<string | undefined>
}

/** How long to wait for an answer; a service started by a script then continues. */
const ANSWER_WITHIN_MS = 30_000
const TOKEN_BYTES = 24
const ANSWERED = 'token_offer.json'
const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1'])

/** The terminal of this process; undefined if it is not interactive. */
export function terminal (): Terminal | undefined {
  const { stdin: input, stdout: output } = process
  if (!input.isTTY || !output.isTTY) return undefined
  return {
    say: console.log,
    async ask (question) {
      const lines = createInterface({ input, output })
      try {
        return await lines.question(question, { signal: timeoutSignal(ANSWER_WITHIN_MS) })
      } catch {
        console.log()
        return undefined
      } finally {
        lines.close()
      }
    }
  }
}

const isOpen = ({ api: { token, host, trustLan } }: Config): boolean =>
  token === undefined && !trustLan && !LOOPBACK.has(host)

/**
 * Asks once whether to create and store a token, if the service would be open to the network without one.
 * @param file the configuration, as named on the command line
 */
export async function offerToken (file: string | undefined, at: Terminal | undefined = terminal()): Promise<void> {
  if (!at) return
  const { config, path } = await readConfig(file)
  const dataDir = config.dataDir ?? defaultDataDir()
  const answered = join(dataDir, ANSWERED)
  if (!isOpen(config) || existsSync(answered)) return
  at.say('Everyone on your network can monitor and control the printers; only this machine can use its files,')
  at.say('the access codes and the log. With a token, every request needs it, and it gives full access from anywhere.')
  const answer = await at.ask('Create a token now? [y/N] ')
  if (/^\s*y(es)?\s*$/i.test(answer ?? '')) return await makeToken(path, at)
  await privateFolder(dataDir)
  await writeJson(answered, { made: false })
  at.say(`No token was created. To set one later: PRN_API_TOKEN, or api.token in ${path}`)
}

async function makeToken (path: string, { say }: Terminal): Promise<void> {
  const token = randomBytes(TOKEN_BYTES).toString('hex')
  await editConfig(path, tree => { tree.api = { ...tree.api as object | undefined, token } })
  say(`The token is ${token}`)
  say(`It is stored in ${path}. Browsers ask for it once; programs send it as Authorization: Bearer.`)
}
