import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const RULES = join(import.meta.dirname, '..', 'contract', 'redocly.yaml')
const LINTER = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin', 'cli.js')
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

export interface Problem {
  readonly ruleId: string
  readonly severity: string
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}

/** Findings that are no faults, each at its one place. */
const ALLOWED = [
  {
    rule: 'no-path-trailing-slash',
    pointer: '#/paths/~1api~1docs~1',
    reason: 'the interface has two addresses for the page, with and without a slash at the end, and no redirect between them'
  }
] as const

const isAllowed = ({ ruleId, location }: Problem): boolean =>
  ALLOWED.some(({ rule, pointer }) => rule === ruleId && location.some(place => place.pointer === pointer))

/** What the linter that other people's tools go by finds in a document. */
export async function lint (file: string): Promise<{ problems: readonly Problem[], allowed: readonly Problem[] }> {
  const run = promisify(execFile)(process.execPath, [LINTER, 'lint', file, '--config', RULES, '--format', 'json'],
    { env: { ...process.env, ...QUIET } })
  const { stdout } = await run.catch((error: { stdout?: string }) => {
    if (!error.stdout) throw error
    return { stdout: error.stdout }
  })
  const { problems } = JSON.parse(stdout) as { problems: readonly Problem[] }
  return { problems: problems.filter(problem => !isAllowed(problem)), allowed: problems.filter(isAllowed) }
}
