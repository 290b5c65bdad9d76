import {
  createKernel, defaultDataDir, definePreset, leftInWords, lockFolder, readConfig, timeoutSignal, type BudgetLeft,
  type ReadConfig
} from '../../../core/index.js'
import auditPlugin from '../../../plugins/audit/index.js'
import database from '../../../plugins/database/index.js'
import http from '../../../plugins/http/index.js'
import oauth from '../../../plugins/oauth/index.js'
import passkeys from '../../../plugins/passkeys/index.js'
import people from '../../../plugins/people/index.js'
import { readSecret } from '../access-code.js'
import { hasColours, printable, table } from '../table.js'
import { runningService, ServiceSays, type Params } from '../service.js'

interface Options { readonly config?: string, readonly json?: boolean }
interface PasswordOptions extends Options { readonly passwordEnv?: string, readonly passwordFile?: string }
interface RoleOptions extends Options { readonly role: string, readonly printers?: readonly string[] }

interface User {
  readonly name: string
  readonly role: string
  readonly printers: readonly string[] | null
  readonly has_password: boolean
  readonly foreign: boolean
}
interface Key {
  readonly name: string
  readonly role: string
  readonly printers: readonly string[] | null
  readonly owner: string | null
  readonly expires_at: string | null
  readonly budget: BudgetLeft | null
}
interface Limit { readonly most: number, readonly per: string }
interface BudgetOptions { readonly prints?: Limit, readonly grams?: Limit, readonly hours?: Limit }

interface Grant {
  readonly name: string
  readonly role: string
  readonly printers: readonly string[] | null
  readonly sent_to: string
  readonly used_at: number | null
  readonly expires_at: number | null
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const PEOPLE = definePreset({ name: 'people', plugins: [http, database, people, passkeys, oauth, auditPlugin] })
const warn = (message: string) => console.error(`Warning: ${message}`)

/** The provider is not needed here, and its secret may not be available. */
function withoutProvider (options: object | false): object | false {
  if (options === false) return false
  const { openid: _, ...rest } = options as { openid?: unknown }
  return rest
}

interface Coded { readonly code?: string }
/** A killed service's lock may have to expire first. */
const LOCK_MS = 60_000

/**
 * A service that was not found, because it has another configuration, would go on with what it holds in memory: a key
 * that is said to be revoked would still open the door.
 */
const lockUnused = (dataDir: string) => lockFolder(dataDir, timeoutSignal(LOCK_MS)).catch((error: Coded) => {
  if (error.code !== 'PRN_ERR_FOLDER_IN_USE') throw error
  throw new ServiceSays(`A running service uses ${dataDir}, but with another configuration: nothing was done. Name the ` +
    'configuration file of that service with --config, or stop the service first')
})

/** Calls the running service, or the same operation on the data folder if none is running. */
async function call<T> ({ config }: Options, method: Method, path: string, params: Params = {}): Promise<T> {
  const known = await readConfig(config, { warn })
  const service = await runningService(known)
  if (service) return await service.call<T>(method, path, params)
  const lock = await lockUnused(known.config.dataDir ?? defaultDataDir())
  try {
    return await callAlone<T>(known, method, path, params)
  } finally {
    await lock.release()
  }
}

async function callAlone<T> (known: ReadConfig, method: Method, path: string, params: Params): Promise<T> {
  const { database: tables, people: own } = known.config.plugins
  const kernel = await createKernel(PEOPLE, {
    ...known.config,
    printers: [],
    plugins: {
      ...(tables !== undefined && { database: tables }), ...(own !== undefined && { people: withoutProvider(own) })
    },
    log: { file: false }
  }, { configFile: known.path, warn })
  try {
    await kernel.start({ listen: false })
    const routes = kernel.contributed('routes')
    const operation = routes.find(route => route.method === method && `/api${route.path}` === path)?.operation
    if (operation === undefined) throw new ServiceSays('The plugin for people is switched off')
    return await kernel.call(operation, params as never) as T
  } finally {
    await kernel.close()
  }
}

const named = (printers: readonly string[] | null): string => printers === null ? 'all printers' : printers.join(', ')
const show = (options: Options, value: unknown, text: string): void => {
  console.log(options.json === true ? JSON.stringify(value, null, 2) : printable(text))
}

function rows (options: Options, value: object, lines: readonly (readonly string[])[], none: string): void {
  if (options.json === true || lines.length === 0) return show(options, value, none)
  for (const line of table(lines, hasColours())) console.log(line)
}

const passwordOf = ({ passwordEnv, passwordFile }: PasswordOptions) =>
  readSecret('Password', 'password', { env: passwordEnv, file: passwordFile })

const some = (printers: readonly string[] | undefined) => printers === undefined ? {} : { printers }

function loginOf ({ foreign, has_password: hasPassword }: Pick<User, 'foreign' | 'has_password'>): string {
  if (foreign) return 'logs in at the provider'
  return hasPassword ? '' : 'no password'
}

export async function listUsers (options: Options): Promise<void> {
  const answer = await call<{ users: User[] }>(options, 'GET', '/api/people/users')
  const lines = answer.users.map(({ name, role, printers, ...login }) => [name, role, named(printers), loginOf(login)])
  rows(options, answer, lines, 'There are no users: no login is needed unless a token is set.')
}

type AddOptions = PasswordOptions & RoleOptions & { readonly password: boolean }

export async function addUser (name: string, options: AddOptions): Promise<void> {
  const { role, printers, password: wanted } = options
  const password = wanted ? { password: await passwordOf(options) } : {}
  const user = await call<User>(options, 'POST', '/api/people/users', { name, role, ...some(printers), ...password })
  show(options, user, `User '${name}' was added with the role ${role}. Everyone has to log in now, including programs.`)
}

export async function removeUser (name: string, options: Options): Promise<void> {
  const done = await call(options, 'DELETE', '/api/people/users', { name })
  const { users } = await call<{ users: User[] }>(options, 'GET', '/api/people/users')
  const rest = users.length === 0 ? ' No users are left: without a token or keys, no login is needed now.' : ''
  show(options, done, `User '${name}' was removed with all logins and keys.${rest}`)
}

export async function setPassword (name: string, options: PasswordOptions): Promise<void> {
  const password = await passwordOf(options)
  show(options, await call(options, 'PATCH', '/api/people/users', { name, password }),
    `The password of '${name}' was set; all logins have ended.`)
}

export async function removePasskeys (name: string, options: Options): Promise<void> {
  const done = await call<{ removed: number }>(options, 'DELETE', '/api/people/users/passkeys', { name })
  const { removed } = done
  const which = removed === 1 ? 'One passkey' : `${removed || 'No'} passkeys`
  show(options, done, `${which} of '${name}' ${removed === 1 ? 'was' : 'were'} removed; the password is enough.`)
}

export async function setRole (name: string, options: RoleOptions): Promise<void> {
  const { role, printers } = options
  const isAll = printers?.length === 1 && printers[0] === 'all'
  const which = isAll ? { printers: null } : some(printers)
  const user = await call<User>(options, 'PATCH', '/api/people/users', { name, role, ...which })
  show(options, user, `'${name}' has the role ${role} for ${named(user.printers)}.`)
}

export async function listKeys (options: Options): Promise<void> {
  const answer = await call<{ keys: Key[] }>(options, 'GET', '/api/people/keys')
  const lines = answer.keys.map(({ name, role, printers, owner, expires_at: until, budget }) => [
    name, role, named(printers), owner ?? '', until === null ? '' : `until ${until.slice(0, 10)}`,
    budget === null ? '' : `left: ${leftInWords(budget)}`
  ])
  rows(options, answer, lines, 'There are no keys.')
}

const limitsIn = ({ prints, grams, hours }: BudgetOptions) =>
  ({ ...(prints && { prints }), ...(grams && { grams }), ...(hours && { hours }) })

type KeyOptions = RoleOptions & BudgetOptions & { readonly days?: number, readonly owner?: string }

export async function addKey (name: string, options: KeyOptions): Promise<void> {
  const { role, printers, days, owner } = options
  const budget = limitsIn(options)
  const made = await call<{ key: string }>(options, 'POST', '/api/people/keys',
    {
      name,
      role,
      ...some(printers),
      ...(days !== undefined && { days }),
      ...(owner !== undefined && { owner }),
      ...(Object.keys(budget).length > 0 && { budget })
    })
  if (options.json !== true) console.error('This is shown only now. Send it as: Authorization: Bearer KEY')
  show(options, made, made.key)
}

export async function setBudget (name: string, options: Options & BudgetOptions & { reset?: boolean }): Promise<void> {
  const limits = limitsIn(options)
  const budget = Object.keys(limits).length > 0 ? limits : null
  const { reset = false } = options
  const key = await call<Key>(options, 'PATCH', '/api/people/keys', { name, budget, reset })
  show(options, key, key.budget === null
    ? `The key '${name}' may print without limits.`
    : `The key '${name}' may print; left: ${leftInWords(key.budget)}.`)
}

export async function revokeKey (name: string, options: Options): Promise<void> {
  show(options, await call(options, 'DELETE', '/api/people/keys', { name }), `The key '${name}' was revoked.`)
}

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

export async function listGrants (options: Options): Promise<void> {
  const answer = await call<{ grants: Grant[] }>(options, 'GET', '/api/oauth/grants')
  const lines = answer.grants.map(({ name, role, printers, sent_to: to, used_at: used, expires_at: until }) => [
    name, role, named(printers), to, used === null ? 'never used' : `used ${dayOf(used)}`, until === null ? '' : `until ${dayOf(until)}`
  ])
  rows(options, answer, lines, 'No program is connected.')
}

export async function revokeGrant (name: string, options: Options): Promise<void> {
  show(options, await call(options, 'DELETE', '/api/oauth/grants', { name }), `The program lost access: ${name}.`)
}

interface AuditOptions extends Options { readonly who?: string, readonly act?: string, readonly printer?: string }
interface Entry {
  readonly at: string
  readonly who: string
  readonly face: string
  readonly act: string
  readonly printer: string | null
  readonly outcome: string
}

export async function audit (options: AuditOptions): Promise<void> {
  const { who, act, printer } = options
  const answer = await call<{ entries: Entry[] }>(options, 'GET', '/api/audit', {
    ...(who !== undefined && { who }),
    ...(act !== undefined && { act }),
    ...(printer !== undefined && { printer_name: printer })
  })
  const lines = answer.entries.map(({ at, outcome, ...entry }) =>
    [at.slice(0, 19).replace('T', ' '), entry.who, entry.face, entry.act, entry.printer ?? '', outcome])
  rows(options, answer, lines, 'Nothing is recorded.')
}
