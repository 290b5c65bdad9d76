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
 * The access code: from the environment, a file, a pipe, or asked for without showing what is typed. It is never an
 * argument, where other users of the machine would see it.
 * @throws PRN_ERR_BAD_INPUT
 */
export async function readAccessCode ({ codeEnv, codeFile }: CodeOptions): Promise<string> {
  if (codeEnv !== undefined && codeFile !== undefined) throw new BadInput('Give --code-env or --code-file, not both')
  if (codeEnv !== undefined) return required(environment()[codeEnv], `The environment variable ${codeEnv} is not set`)
  if (codeFile !== undefined && codeFile !== '-') {
    const text = await readFile(codeFile, 'utf8').catch((error: Error) => { throw new BadInput(error.message) })
    return required(text, `${codeFile} is empty`)
  }
  if (codeFile === undefined && process.stdin.isTTY) return required(await ask('Access code: '), 'No access code was entered')
  return required(await readInput(), 'No access code was read from standard input; use --code-env or --code-file')
}

function required (text: string | undefined, otherwise: string): string {
  const code = text?.trim() ?? ''
  if (code === '') throw new BadInput(otherwise)
  return code
}

async function readInput (): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > MOST_CHARS) throw new BadInput('This is not an access code')
  }
  return text
}

/** Shows the question, and nothing of the answer. */
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
