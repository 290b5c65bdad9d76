import { InvalidArgumentError, type Command } from 'commander'

function portOf (text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('a port from 1 to 65535 is needed')
  return port
}

function secondsOf (text: string): number {
  const seconds = Number(text)
  if (!(seconds > 0 && seconds <= 120)) throw new InvalidArgumentError('it must be 1 to 120 seconds')
  return seconds
}

/** `prnd printers …` and `prnd catalog …`. */
export function addPrinterCommands (program: Command, withConfig: (command: Command) => Command): void {
  const printers = program.command('printers').description('configured printers')

  withConfig(printers.command('list').description('show the configured printers, and how a running service reaches them')
    .option('--json', 'print JSON'))
    .action(async options => { await (await import('./commands/printers.js')).list(options) })

  withConfig(printers.command('add').description('test the connection to a printer and add it to the configuration')
    .argument('<name>', 'a name of your choice')
    .requiredOption('--host <address>', 'its address')
    .requiredOption('--serial <serial>', 'its serial number')
    .option('--code-env <name>', 'environment variable that holds the access code')
    .option('--code-file <file>', 'file that holds the access code, - for standard input')
    .option('--mqtt-port <port>', 'if it is not 8883', portOf)
    .option('--ftps-port <port>', 'of the card, if it is not 990', portOf)
    .option('--camera-port <port>', 'of a camera that sends pictures, if it is not 6000', portOf)
    .option('--rtsps-port <port>', 'of a camera that sends video, if it is not 322', portOf))
    .addHelpText('after', '\nWithout --code-env and --code-file the access code is asked for, or read from a pipe.')
    .action(async (name: string, options) => { await (await import('./commands/printers.js')).add(name, options) })

  withConfig(printers.command('import').description('test and add many printers from a list, CSV or JSON')
    .argument('<file>', 'the list, - for standard input'))
    .addHelpText('after', '\nColumns or fields: name, host, serial, access_code, and where they differ from 8883, 990, 6000 and 322 ' +
      'mqtt_port, ftps_port, camera_port, rtsps_port.')
    .action(async (file: string, options) => { await (await import('./commands/printers.js')).importList(file, options) })

  withConfig(printers.command('remove').description('remove a printer and its access code from the configuration')
    .argument('<name>'))
    .action(async (name: string, options) => { await (await import('./commands/printers.js')).remove(name, options) })

  withConfig(printers.command('discover').description('listen for printers that announce themselves on the network')
    .option('--seconds <n>', 'how long', secondsOf, 15)
    .option('--host <address>', 'ask there which printer it is, instead of listening'))
    .action(async options => { await (await import('./commands/discover.js')).default(options) })

  withConfig(printers.command('test').description('connect to a configured printer and report the result')
    .argument('<name>')
    .option('--accept-certificate', 'pin its current certificate'))
    .action(async (name: string, options) => { await (await import('./commands/printers.js')).test(name, options) })

  const catalog = program.command('catalog').description("the vendor's fault texts")
  withConfig(catalog.command('update').description('download them into the data folder')
    .option('--language <code>', 'such as en or de')
    .option('--url <address>', 'download them from this address instead'))
    .action(async options => { await (await import('./commands/catalog.js')).update(options) })
}
