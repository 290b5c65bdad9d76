import { readFile, stat } from 'node:fs/promises'
import { BadInput, NotFound } from '../../../core/index.js'
import type { Service } from '../service.js'
import { counted, printable, table, type Row, type Tone } from '../table.js'
import { ask, connect, screen, type Confirm, type Screen } from './jobs.js'

interface Options { readonly config?: string, readonly json?: boolean }
export interface TurnOptions extends Options { readonly all?: boolean }
export interface RunsOptions extends Options { readonly limit?: number }
export interface TryOptions extends Options { readonly days?: number }
export interface AddOptions extends Options { readonly off?: boolean, readonly yes?: boolean }

type Caller = Pick<Service, 'call'>

interface Reads { readonly when: readonly string[], readonly if: readonly string[], readonly then: readonly string[] }
interface Run {
  readonly rule_name: string
  readonly printer: string | null
  readonly at: number
  readonly state: string
  readonly reason: string
  readonly steps: readonly RunStep[]
}
interface RunStep { readonly step: number, readonly state: string, readonly what: string, readonly reason: string }
interface Rule {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  readonly paused_reason: string | null
  readonly last_run: Run | null
  readonly reads: Reads
}
interface Rules {
  readonly service: { readonly enabled: boolean }
  readonly rules: readonly Rule[]
  readonly proposals: number
}
interface Check {
  readonly ok: boolean
  readonly errors: readonly { readonly path: string, readonly words: string }[]
  readonly warnings: readonly { readonly words: string }[]
  readonly reads: Reads
  readonly consequence: string
  readonly accept_consequence: string
}
interface Tried {
  readonly days: number
  readonly would_run: number
  readonly times: readonly {
    readonly at: number
    readonly printer: string | null
    readonly what: string
    readonly would: boolean
    readonly why: string
  }[]
  readonly notes: readonly string[]
}

const USUAL_RUNS = 20
/** The service stores no longer rule. */
const MOST_BYTES = 65_536
const TONES: Readonly<Record<string, Tone>> = { running: 'busy', done: 'good', failed: 'bad', unclear: 'warn' }
const WORDS: Readonly<Record<string, string>> = { skipped: 'did not run', unclear: 'outcome unknown' }

const wordOf = (state: string): string => WORDS[state] ?? state
const timeOf = (at: number): string => new Date(at).toLocaleString([], { dateStyle: 'short', timeStyle: 'short' })
const sentence = ({ when, if: conditions, then }: Reads): string =>
  [when.join(' or '), conditions.length > 0 && `if ${conditions.join(' and ')}`, `then ${then.join(', then ')}`]
    .filter(Boolean).join(', ')

/** All rules: what each says, and what a person should know of it. */
export async function listRules (service: Caller, { say, colours }: Screen, { json = false }: Options): Promise<void> {
  const { service: main, rules, proposals } = await service.call<Rules>('GET', '/api/rules')
  if (json) return say(JSON.stringify(rules, null, 2))
  if (rules.length === 0) say('There is no rule. The page Rules has templates; prnd rules add FILE adds one.')
  const rows = rules.map(({ id, name, enabled, paused_reason: paused, last_run: run }): Row => [
    id,
    name,
    paused !== null ? { text: 'paused', tone: 'warn' } : enabled ? { text: 'on', tone: 'good' } : 'off',
    run === null ? 'never ran' : { text: `${wordOf(run.state)} ${timeOf(run.at)}`, tone: TONES[run.state] ?? 'plain' }
  ])
  for (const [at, line] of table(rows, colours).entries()) {
    const rule = rules[at] as Rule
    say(line)
    say(`  ${printable(sentence(rule.reads))}`)
    if (rule.paused_reason !== null) say(`  Paused: ${printable(rule.paused_reason)}`)
  }
  if (!main.enabled) say('All rules are switched off: prnd rules on --all switches them on again.')
  if (proposals > 0) say(`${counted(proposals, 'proposed rule')} to decide about on the page Rules.`)
}

/** A rule by its id, or by a name that only one has. */
async function ruleOf (service: Caller, wanted: string): Promise<Rule> {
  const { rules } = await service.call<Rules>('GET', '/api/rules')
  const own = rules.find(({ id }) => id === wanted)
  const [named, other] = rules.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase())
  if (own === undefined && other !== undefined) {
    throw new BadInput(`Several rules are called '${wanted}'; name one by its id: prnd rules list`)
  }
  const found = own ?? named
  if (found === undefined) throw new NotFound(`There is no rule '${wanted}'; prnd rules list shows all`)
  return found
}

export async function turnRule (
  service: Caller, { say }: Screen, wanted: string | undefined, enabled: boolean, { all = false }: TurnOptions
): Promise<void> {
  if (all === (wanted !== undefined)) throw new BadInput('Name one rule, or give --all for the main switch')
  const word = enabled ? 'on' : 'off'
  if (wanted === undefined) {
    await service.call('PATCH', '/api/rules/service', { enabled })
    return say(`Rules are switched ${word}.`)
  }
  const { id, name } = await ruleOf(service, wanted)
  await service.call('POST', '/api/rules/enable', { id, enabled })
  say(`${printable(name)} is switched ${word}.`)
}

export async function showRuns (
  service: Caller, { say, colours }: Screen, wanted: string | undefined,
  { limit = USUAL_RUNS, json = false }: RunsOptions
): Promise<void> {
  const rule = wanted === undefined ? undefined : (await ruleOf(service, wanted)).id
  const params = { limit, ...rule !== undefined && { rule } }
  const { runs } = await service.call<{ runs: readonly Run[] }>('GET', '/api/rules/runs', params)
  if (json) return say(JSON.stringify(runs, null, 2))
  if (runs.length === 0) return say('No rule has run.')
  const rows = runs.map(({ at, rule_name: name, printer, state, reason }): Row =>
    [timeOf(at), name, printer ?? '', { text: wordOf(state), tone: TONES[state] ?? 'plain' }, reason])
  for (const [at, line] of table(rows, colours).entries()) {
    say(line)
    for (const { step, state, what, reason } of runs[at]?.steps ?? []) {
      say(printable(`  ${step}. ${what}: ${wordOf(state)}${reason === '' ? '' : `, ${reason}`}`))
    }
  }
}

/** @throws PRN_ERR_BAD_INPUT */
async function ruleIn (file: string): Promise<object> {
  const { size = 0 } = await stat(file).catch(() => { throw new BadInput(`There is no file '${file}'`) })
  if (size > MOST_BYTES) throw new BadInput(`'${file}' is longer than a rule can be`)
  try {
    const rule: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (typeof rule === 'object' && rule !== null && !Array.isArray(rule)) return rule
  } catch (error) {
    throw new BadInput(`'${file}' is not JSON: ${(error as Error).message}`)
  }
  throw new BadInput(`'${file}' has no rule: an object with name, when and then is needed`)
}

export async function tryRule (
  service: Caller, { say, colours }: Screen, wanted: string, { days, json = false }: TryOptions
): Promise<void> {
  const isFile = /\.json$/i.test(wanted)
  const given = isFile ? { rule: ruleFields(await ruleIn(wanted)) } : { id: (await ruleOf(service, wanted)).id }
  const tried = await service.call<Tried>('POST', '/api/rules/try', { ...given, ...days !== undefined && { days } })
  if (json) return say(JSON.stringify(tried, null, 2))
  say(`It would have run ${counted(tried.would_run, 'time')} in ${counted(tried.days, 'day')}.`)
  const rows = tried.times.map(({ at, printer, what, would, why }): Row => [
    timeOf(at),
    printer ?? '',
    would ? { text: 'would have run', tone: 'good' } : 'would not',
    [what, why].filter(text => text !== '').join(': ')
  ])
  for (const line of table(rows, colours)) say(line)
  for (const note of tried.notes) say(printable(note))
}

/** What a person writes of a rule: the rest of one that was listed is left out. */
const WRITTEN = ['name', 'printers', 'when', 'if', 'then', 'most_per_hour']
const ruleFields = (rule: object): object =>
  Object.fromEntries(Object.entries(rule).filter(([name]) => WRITTEN.includes(name)))

/**
 * Checks a rule, says what it does without a person, and saves it if that is accepted.
 * @returns whether it was saved
 */
export async function addRule (
  service: Caller, { say }: Screen, file: string, { off = false }: AddOptions, confirm: Confirm
): Promise<boolean> {
  const rule = ruleFields(await ruleIn(file))
  const check = await service.call<Check>('POST', '/api/rules/check', { rule })
  for (const { path, words } of check.errors) say(printable(`${path}: ${words}`))
  if (!check.ok) {
    say('Nothing was saved.')
    return false
  }
  say(printable(sentence(check.reads)))
  say(check.consequence.split('\n').map(printable).join('\n'))
  for (const { words } of check.warnings) say(printable(`Note: ${words}`))
  if (!await confirm('Do you accept that this happens without asking you?')) {
    say('Nothing was saved.')
    return false
  }
  const { rule: saved, webhook } = await service.call<{ rule: Rule, webhook: string | null }>('POST', '/api/rules', {
    ...rule, accept_consequence: check.accept_consequence, enabled: !off
  })
  say(`Saved as ${saved.id}${off ? ', switched off' : ''}.`)
  if (webhook !== null) say(`Its webhook, shown only now: POST ${printable(webhook)}`)
  return true
}

export async function list (options: Options): Promise<void> {
  await listRules(await connect(options), screen(), options)
}

export async function turn (rule: string | undefined, enabled: boolean, options: TurnOptions): Promise<void> {
  await turnRule(await connect(options), screen(), rule, enabled, options)
}

export async function runs (rule: string | undefined, options: RunsOptions): Promise<void> {
  await showRuns(await connect(options), screen(), rule, options)
}

export async function tryOut (rule: string, options: TryOptions): Promise<void> {
  await tryRule(await connect(options), screen(), rule, options)
}

export async function addFile (file: string, options: AddOptions): Promise<void> {
  const confirm = options.yes === true ? async () => true : ask
  const done = await addRule(await connect(options), screen(), file, options, confirm)
  if (!done) process.exitCode = 1
}
