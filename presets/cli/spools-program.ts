import { InvalidArgumentError, Option, type Command } from 'commander'

function grams (text: string): number {
  const amount = Number(text)
  if (text.trim() === '' || !(amount >= 0 && amount <= 100_000)) throw new InvalidArgumentError('grams from 0 to 100000 are needed')
  return amount
}

function days (text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text) || Number(text) > 366) throw new InvalidArgumentError('a whole number from 1 to 366 is needed')
  return Number(text)
}

const commands = () => import('./commands/spools.js')

/** `prnd spools …`: the inventory of a running service. */
export function addSpoolCommands (program: Command, withConfig: (command: Command) => Command): void {
  const spools = program.command('spools').description('spools: what is left, and what to buy')
  const json = ['--json', 'print JSON'] as const

  withConfig(spools.command('list').description('list spools, with what is left and where they are')
    .argument('[words...]', 'only those with all of these words in name, brand, material, place, lot or notes')
    .option('--archived', 'those that were put away')
    .option(...json))
    .action(async (words: string[], options) => { await (await commands()).list(words, options) })

  withConfig(spools.command('weigh').description('correct what is left by a scale, and say by how much the count was wrong')
    .argument('<spool>', 'its id, or its name')
    .argument('<grams>', 'on the scale, with the empty spool', grams)
    .option('--empty <grams>', 'weight of the empty spool (default: as known for it or its type)', grams))
    .action(async (spool: string, gross: number, options) => { await (await commands()).weigh(spool, gross, options) })

  withConfig(spools.command('buy').description('which filament runs out when, and what to buy')
    .option('--days <n>', 'how far to look ahead (default: 28)', days)
    .option(...json))
    .action(async options => { await (await commands()).buy(options) })

  withConfig(spools.command('import').description('import a list: says first what that would do, then asks')
    .argument('<file>', 'CSV or JSON: of this service, Spoolman, 3D Filament Profiles or a spreadsheet')
    .option('--skip-broken', 'import the other rows although some cannot be read')
    .option('-y, --yes', 'do not ask'))
    .action(async (file: string, options) => { await (await commands()).importFile(file, options) })

  withConfig(spools.command('export').description('write all spools as a list that can be imported again')
    .addOption(new Option('--format <format>', 'of the list').choices(['csv', 'json']).default('csv'))
    .option('--out <file>', 'a new file (default: standard output)'))
    .action(async options => { await (await commands()).exportList(options) })
}
