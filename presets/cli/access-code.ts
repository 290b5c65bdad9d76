import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { BadInput, environment } from '../../core/index.js'

export interface CodeOptions {
  /** Name of an environment variable. */
  readonly codeEnv?: string
  /** A file; `-` is standard input. */
  readonly codeFile?: string
}

/** Longer input is not an access code. */
const MOST_CHARS = 1_000

/**
 * Reads the access code from the environment, a file, a pipe, or a prompt that hides the input. It is never an
 * argument, where other users of the machine could see it.
 * @throws PRN_ERR_BAD_INPUT
 */
export const readAccessCode = ({ codeEnv, codeFile }: CodeOptions): Promise<string> =>
  readSecret('Access code', 'code', { env: codeEnv, file: codeFile })

/**
 * Reads any secret in the same ways.
 * @param option the options are called `--<option>-env` and `--<option>-file`
 * @throws PRN_ERR_BAD_INPUT
 */
export async function readSecret (what: string, option: string,
  { env, file }: { readonly env?: string | undefined, readonly file?: string | undefined }): Promise<string> {
  const none = `No ${what.toLowerCase()} was`
  if (env !== undefined && file !== undefined) throw new BadInput(`Give --${option}-env or --${option}-file, not both`)
  if (env !== undefined) return required(environment()[env], `The environment variable ${env} is not set`)
  if (file !== undefined && file !== '-') {
    const text = await readFile(file, 'utf8').catch((error: Error) => { throw new BadInput(error.message) })
    return required(text, `${file} is empty`)
  }
  if (file === undefined && process.stdin.isTTY) return required(await ask(`${what}: `), `${none} entered`)
  return required(await readInput(what), `${none} read from standard input; use --${option}-env or --${option}-file`)
}

function required (text: string | undefined, otherwise: string): string {
  const code = text?.trim() ?? ''
  if (code === '') throw new BadInput(otherwise)
  return code
}

async function readInput (what: string): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > MOST_CHARS) throw new BadInput(`${what}: too long`)
  }
  return text
}

/** Prompts without echoing the answer. */
function ask (question: string): Promise<string> {
  const dark = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: dark, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    terminal.once('SIGINT', () => { terminal.close(); reject(new BadInput('Given up')) })
    terminal.once('close', () => { process.stderr.write('\n'); resolve('') })
    terminal.question('', answer => { resolve(answer); terminal.close() })
  })
}
