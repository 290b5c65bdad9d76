import { Command, InvalidArgumentError } from 'commander'
import { takeOverFolders, VERSION } from '../../core/index.js'
import type { ModelName } from '../../plugins/emulator/index.js'
import { addHealthCommands } from './health-program.js'
import { addJobCommands } from './jobs-program.js'
import { addMaintenanceCommands } from './maintenance-program.js'
import { addPluginCommands } from './plugins-program.js'
import { addPeopleCommands } from './people-program.js'
import { addPrinterCommands } from './printers-program.js'
import { addRuleCommands } from './rules-program.js'
import { addSpoolCommands } from './spools-program.js'
import { modelsOf } from './virtual-printers.js'

const DEFAULT_DEMO: readonly ModelName[] = ['P1S']

function positive (text: string): number {
  const number = Number(text)
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('a number above 0 is needed')
  return number
}

function whole (text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 to 9999 is needed')
  return Number(text)
}

function portOf (text: string): number {
  const port = Number(text)
  if (!/^\d{1,5}$/.test(text) || port < 1 || port > 65_535) throw new InvalidArgumentError('a port from 1 to 65535 is needed')
  return port
}

const namesOf = (text: string): string[] => text.split(',').map(name => name.trim()).filter(name => name !== '')

const withConfig = (command: Command) => command.option('-c, --config <file>', 'configuration file (default: PRN_CONFIG, else config.json in the platform\'s configuration folder)')
const withSafe = (command: Command) => command.option('--safe', 'leave out the plugins that the configuration adds')
const withSpeed = (command: Command) => command.option('--speed <n>', 'speed of the virtual printers, 60 = a minute per second', positive, 1)

/** Defines the command line. Each command loads its code when it is called. */
export function createProgram (): Command {
  const program = new Command('prnd')
    .description('Monitors and controls Bambu Lab 3D printers on a local network')
    .version(VERSION, '-v, --version')
    .showHelpAfterError('(run prnd --help for help)')
    .configureOutput({ outputError: (text, write) => write(text) })
    .exitOverride()
    .hook('preAction', () => takeOverFolders(console.error))

  withSafe(withSpeed(withConfig(program.command('daemon', { isDefault: false })
    .description('run the service: HTTP API, MCP endpoint, one session for each configured printer')
    .option('--demo [models]', 'add virtual printers, e.g. x1c,h2d', modelsOf))))
    .action(async options => { await (await import('./commands/daemon.js')).default(options) })

  withSafe(withConfig(program.command('hub')
    .description('run one API, page and MCP endpoint for the printers of a fleet of services')))
    .action(async options => { await (await import('./commands/hub.js')).default(options) })

  withSafe(withSpeed(withConfig(program.command('app')
    .description('run the application for one printer: HTTP by GET, and Socket.IO')
    .option('--demo [models]', 'control a virtual printer, e.g. h2d', modelsOf)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, or PRN_API_HOST)')
    .option('--port <n>', 'port to listen on (default: 5000, or PRN_API_PORT)', portOf))))
    .action(async options => { await (await import('./commands/app.js')).default(options) })

  withSpeed(program.command('demo')
    .description('run the service with virtual printers only, in a data folder of its own')
    .argument('[models]', 'models, e.g. a1mini,p1s,x1c,h2d', modelsOf, DEFAULT_DEMO))
    .action(async (models: readonly ModelName[], options: { speed: number }) => {
      await (await import('./commands/daemon.js')).default({ demo: models, only: true, ...options })
    })

  withConfig(program.command('mcp')
    .description('serve an AI agent on standard input and output; joins a running service if there is one')
    .option('--toolsets <names>', 'only these tools, with commas; all: every tool; start: a few, and one that finds the others', namesOf)
    .option('--schemas <kinds>', 'output: list tools with the schemas of their answers, for programs that read them', namesOf))
    .action(async options => { await (await import('./commands/mcp.js')).default(options) })

  withSpeed(program.command('emulate')
    .description('run virtual printers with sample projects on their SD cards, for experiments and tests')
    .argument('[models]', 'models, e.g. a1mini,p1s,x1c,h2d', modelsOf, DEFAULT_DEMO)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--count <n>', 'how many; models are used in turn', whole)
    .option('--empty-card', 'leave the sample projects off their SD cards'))
    .action(async (models: readonly ModelName[], options) => { await (await import('./commands/emulate.js')).default(models, options) })

  addSlicerCommand(program)
  addJobCommands(program, withConfig)
  addPeopleCommands(program, withConfig)
  addPrinterCommands(program, withConfig)
  addRuleCommands(program, withConfig)
  addSpoolCommands(program, withConfig)
  addMaintenanceCommands(program, withConfig)
  addPluginCommands(program, withConfig)
  addConfigCommands(program)

  withConfig(program.command('doctor')
    .description('check what keeps the service or a printer from working, and say what to do')
    .option('--json', 'print JSON')
    .option('--full', 'include the addresses of printers; codes and tokens are never shown'))
    .argument('[part]', 'try one part out: slicers')
    .action(async (part, options) => { await (await import('./commands/doctor.js')).default(part, options) })

  withConfig(program.command('certificate')
    .description('show the fingerprint of the root certificate that other devices install for encrypted pages')
    .option('--out <file>', 'also write the certificate to a file'))
    .action(async options => { await (await import('./commands/certificate.js')).default(options) })

  addServiceCommands(program)
  addBackupCommands(program)
  addDecoderCommands(program)
  addHealthCommands(program, withConfig)

  program.command('openapi')
    .description('print the OpenAPI document of the HTTP API')
    .option('--pretty', 'with line breaks')
    .action(async options => { await (await import('./commands/openapi.js')).default(options) })

  return program
}

function addSlicerCommand (program: Command): void {
  program.command('slicer')
    .description('serve the slicers of this machine or container to a service elsewhere')
    .option('--host <address>', 'address to listen on; other than 127.0.0.1 needs a token', '127.0.0.1')
    .option('--port <n>', 'port to listen on', portOf, 8930)
    .option('--token-env <name>', 'environment variable that holds the token')
    .option('--token-file <file>', 'file that holds the token')
    .option('--memory-mib <n>', 'most memory of the slicer, where the system can limit it', positive, 4_096)
    .option('--timeout-minutes <n>', 'longest time for one plate', positive, 30)
    .action(async options => { await (await import('./commands/slicer.js')).default(options) })
}

function addConfigCommands (program: Command): void {
  const config = program.command('config').description('the configuration file')
  withConfig(config.command('path').description('print where the configuration file is'))
    .action(async options => { await (await import('./commands/config.js')).path(options) })
  withConfig(config.command('check').description('check the configuration file'))
    .action(async options => { await (await import('./commands/config.js')).check(options) })
  config.command('schema').description('print the JSON schema of the configuration file, for editors')
    .action(async () => { await (await import('./commands/config.js')).schema() })
}

function addServiceCommands (program: Command): void {
  const service = program.command('service').description('have this machine start the service by itself')
  const dry = (command: Command) => withConfig(command.option('--dry-run', 'only show what would be written and run'))
  dry(service.command('install').description('start it now and with the machine: by systemd, launchd or the task scheduler of Windows'))
    .action(async options => { await (await import('./commands/service.js')).install(options) })
  withConfig(service.command('status').description('say whether it is installed and running'))
    .action(async options => { await (await import('./commands/service.js')).status(options) })
  dry(service.command('remove').description('stop it and have this machine forget it; configuration and data stay'))
    .action(async options => { await (await import('./commands/service.js')).remove(options) })
}

function addBackupCommands (program: Command): void {
  withConfig(program.command('backup').description('write what is recorded, the configuration and preferences into one file')
    .argument('<file>', 'such as prnd.backup')
    .option('--codes', 'with access codes and tokens; keep such a file safe')
    .option('--force', 'replace the file if there is one'))
    .action(async (file: string, options) => { await (await import('./commands/backup.js')).backup(file, options) })
  withConfig(program.command('restore').description('put a backup back; the service must not run')
    .argument('<file>', 'written by prnd backup')
    .option('--replace', 'in place of what is recorded already')
    .option('--without <plugins>', 'leave out the tables of these plugins, which are not part of prnd'))
    .action(async (file: string, options) => { await (await import('./commands/backup.js')).restore(file, options) })
}

function addDecoderCommands (program: Command): void {
  const decoder = withConfig(program.command('decoder').description('what makes pictures of the video of H.264 cameras')
    .usage('[install | remove]'))
    .action(async options => { await (await import('./commands/decoder.js')).show(options) })
  withConfig(decoder.command('install').description('install a decoder into the data folder, for machines without ffmpeg'))
    .action(async options => { await (await import('./commands/decoder.js')).install(options) })
  withConfig(decoder.command('remove').description('remove the installed decoder'))
    .action(async options => { await (await import('./commands/decoder.js')).remove(options) })
}
