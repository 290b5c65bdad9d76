import { InvalidArgumentError, type Command } from 'commander'

const MOST_DAYS = 7
const MOST_RUNS = 200

const whole = (most: number) => (text: string): number => {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > most) throw new InvalidArgumentError(`a whole number from 1 to ${most} is needed`)
  return Number(text)
}

const commands = () => import('./commands/rules.js')

/** `prnd rules …`: what a running service does without a person. */
export function addRuleCommands (program: Command, withConfig: (command: Command) => Command): void {
  const rules = program.command('rules').description('rules: what the service does without a person, and what it did')
  const json = ['--json', 'print JSON'] as const

  withConfig(rules.command('list').description('list rules as sentences, with how their last run ended')
    .option(...json))
    .action(async options => { await (await commands()).list(options) })

  for (const word of ['on', 'off'] as const) {
    withConfig(rules.command(word).description(`switch a rule ${word}`)
      .argument('[rule]', 'its name, or its id')
      .option('--all', `switch all rules ${word}, by the main switch`))
      .action(async (rule: string | undefined, options) => { await (await commands()).turn(rule, word === 'on', options) })
  }

  withConfig(rules.command('runs').description('what rules did and why, step by step, newest first')
    .argument('[rule]', 'only this one: its name, or its id')
    .option('--limit <n>', 'how many (default: 20)', whole(MOST_RUNS))
    .option(...json))
    .action(async (rule: string | undefined, options) => { await (await commands()).runs(rule, options) })

  withConfig(rules.command('try').description('how often a rule would have run in the past days; nothing is done')
    .argument('<rule>', 'its name, its id, or a file with a rule')
    .option('--days <n>', 'how far to look back (default: 7)', whole(MOST_DAYS))
    .option(...json))
    .action(async (rule: string, options) => { await (await commands()).tryOut(rule, options) })

  withConfig(rules.command('add').description('add a rule: says what it would do without a person, then asks')
    .argument('<file>', 'JSON: name, when, if, then; prnd rules list --json shows those that there are')
    .option('--off', 'saved, but switched off')
    .option('-y, --yes', 'accept the consequence without being asked'))
    .action(async (file: string, options) => { await (await commands()).addFile(file, options) })
}
