import { InvalidArgumentError, Option, type Command } from 'commander'

const ROLES = ['view', 'operate', 'administrate'] as const

const listOf = (text: string): string[] => text.split(',').map(part => part.trim()).filter(part => part !== '')

function daysOf (text: string): number {
  const days = Number(text)
  if (!Number.isInteger(days) || days < 1 || days > 3_650) throw new InvalidArgumentError('it must be 1 to 3650 days')
  return days
}

/** `3/day`, `500/life` or `500`. */
function limitOf (text: string): { most: number, per: string } {
  const [, most = '', per = 'life'] = /^(\d+(?:\.\d+)?)(?:\/(life|day|week))?$/.exec(text.trim()) ?? []
  if (most === '') throw new InvalidArgumentError('it must be a number, with /day or /week if it is not for ever')
  return { most: Number(most), per }
}

const withBudget = (command: Command) => command
  .option('--prints <n>', 'prints, such as 3/day', limitOf)
  .option('--grams <n>', 'filament in g, such as 500', limitOf)
  .option('--hours <n>', 'planned print time in hours, such as 20/week', limitOf)

const role = () => new Option('--role <role>', 'what is allowed').choices(ROLES).makeOptionMandatory()
const commands = () => import('./commands/people.js')
const HOW = '\nWithout --password-env and --password-file the password is asked for, or read from a pipe.'

/**
 * `prnd users …`, `prnd keys …` and `prnd grants …`: for anyone with access to the data folder, whether or not the
 * service is running.
 */
export function addPeopleCommands (program: Command, withConfig: (command: Command) => Command): void {
  const users = program.command('users').description('people who may use the service')
  const withPassword = (command: Command) => command
    .option('--password-env <name>', 'environment variable that holds the password')
    .option('--password-file <file>', 'file that holds the password, - for standard input')
    .addHelpText('after', HOW)
  const json = (command: Command) => withConfig(command.option('--json', 'print JSON'))

  json(users.command('list').description('list the users'))
    .action(async options => { await (await commands()).listUsers(options) })
  json(withPassword(users.command('add').description('add a user; with the first one everybody has to log in')
    .argument('<name>').addOption(role())
    .option('--printers <names>', 'only these printers, with commas', listOf)
    .option('--no-password', 'for a user who logs in with OpenID Connect')))
    .action(async (name: string, options) => { await (await commands()).addUser(name, options) })
  json(users.command('remove').description('remove a user with all logins and keys').argument('<name>'))
    .action(async (name: string, options) => { await (await commands()).removeUser(name, options) })
  json(users.command('passkeys').description('remove all passkeys of a user who has lost them').argument('<name>'))
    .action(async (name: string, options) => { await (await commands()).removePasskeys(name, options) })
  json(withPassword(users.command('password').description('set a password; all logins of the user end').argument('<name>')))
    .action(async (name: string, options) => { await (await commands()).setPassword(name, options) })
  json(users.command('role').description('change what a user may do').argument('<name>').addOption(role())
    .option('--printers <names>', 'only these printers, with commas; "all" for all', listOf))
    .action(async (name: string, options) => { await (await commands()).setRole(name, options) })

  json(program.command('audit').description('who did what, newest first')
    .option('--who <name>', 'only of this user, key or grant')
    .option('--act <name>', 'only this operation, or login')
    .option('--printer <name>', 'only at this printer'))
    .action(async options => { await (await commands()).audit(options) })

  const keys = program.command('keys').description('API keys for programs')
  json(keys.command('list').description('list the keys, without the keys themselves'))
    .action(async options => { await (await commands()).listKeys(options) })
  json(withBudget(keys.command('add').description('make a key and print it, this once').argument('<name>').addOption(role())
    .option('--printers <names>', 'only these printers, with commas', listOf)
    .option('--days <n>', 'how long it works', daysOf)
    .option('--owner <user>', 'the user who goes with it')))
    .action(async (name: string, options) => { await (await commands()).addKey(name, options) })
  json(withBudget(keys.command('budget').description('limit what a key may print; without limits: lift them')
    .argument('<name>')
    .option('--reset', 'what it has used so far no longer counts')))
    .action(async (name: string, options) => { await (await commands()).setBudget(name, options) })
  json(keys.command('revoke').description('revoke a key').argument('<name>'))
    .action(async (name: string, options) => { await (await commands()).revokeKey(name, options) })

  const grants = program.command('grants').description('programs that users connected in their browser')
  json(grants.command('list').description('list the programs, and what each may do'))
    .action(async options => { await (await commands()).listGrants(options) })
  json(grants.command('revoke').description('disconnect a program').argument('<name>', 'as listed'))
    .action(async (name: string, options) => { await (await commands()).revokeGrant(name, options) })
}
