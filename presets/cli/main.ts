import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { VERSION } from '../../core/index.js'
import type { ModelName } from '../../plugins/emulator/index.js'
import { addPrinterCommands } from './printers-program.js'
import { modelsOf } from './virtual.js'

/** 0 done, 1 failed, 2 wrong usage. */
const FAILED = 1
const WRONG_USAGE = 2

const DEFAULT_DEMO: readonly ModelName[] = ['X1C']

function positive (text: string): number {
  const number = Number(text)
  if (!(number > 0 && Number.isFinite(number))) throw new InvalidArgumentError('a number above 0 is needed')
  return number
}

function whole (text: string): number {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 to 9999 is needed')
  return Number(text)
}

/** One line for the user; the code leads to the reference. */
function sentence (error: unknown): string {
  const { message = String(error), code } = (error ?? {}) as { message?: string, code?: unknown }
  return typeof code === 'string' && code.startsWith('PRN_ERR_') ? `${message} [${code}]` : message
}

const withConfig = (command: Command) => command.option('-c, --config <file>', 'configuration file (default: PRN_CONFIG, else the platform\'s folder)')
const withSpeed = (command: Command) => command.option('--speed <n>', 'clock of the virtual printers, 60 = a minute a second', positive, 1)

const program = new Command('prn')
  .description('Monitors and controls Bambu Lab 3D printers on a local network')
  .version(VERSION, '-v, --version')
  .showHelpAfterError('(prn --help shows what there is)')
  .configureOutput({ outputError: (text, write) => write(text) })
  .exitOverride()

withSpeed(withConfig(program.command('daemon', { isDefault: false })
  .description('run the service: HTTP API, MCP endpoint, one session for each configured printer')
  .option('--demo [models]', 'add virtual printers, e.g. x1c,h2d', modelsOf)))
  .action(async options => { await (await import('./commands/daemon.js')).default(options) })

withSpeed(program.command('demo')
  .description('run the service with virtual printers only, whatever the configuration')
  .argument('[models]', 'models, e.g. a1mini,p1s,x1c,h2d', modelsOf, DEFAULT_DEMO))
  .action(async (models: readonly ModelName[], options: { speed: number }) => {
    await (await import('./commands/daemon.js')).default({ demo: models, only: true, ...options })
  })

withConfig(program.command('mcp')
  .description('serve an AI agent on standard input and output; joins a running service if there is one'))
  .action(async options => { await (await import('./commands/mcp.js')).default(options) })

withSpeed(program.command('emulate')
  .description('run virtual printers on this machine, for trying things out and for tests')
  .argument('[models]', 'models, e.g. a1mini,p1s,x1c,h2d', modelsOf, DEFAULT_DEMO)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--count <n>', 'how many, the models taking turns', whole))
  .action(async (models: readonly ModelName[], options) => { await (await import('./commands/emulate.js')).default(models, options) })

addPrinterCommands(program, withConfig)

const plugins = program.command('plugins').description('plugins of the service')
withConfig(plugins.command('list').description('show every plugin with its version, range and what it touches'))
  .action(async options => { await (await import('./commands/plugins.js')).list(options) })
withConfig(plugins.command('check').description('load every plugin of the configuration and say whether it would start'))
  .action(async options => { await (await import('./commands/plugins.js')).check(options) })

const config = program.command('config').description('the configuration file')
withConfig(config.command('path').description('print where the configuration file is'))
  .action(async options => { await (await import('./commands/config.js')).path(options) })
withConfig(config.command('check').description('check the configuration file'))
  .action(async options => { await (await import('./commands/config.js')).check(options) })

program.command('openapi')
  .description('print the OpenAPI document of the HTTP API')
  .option('--pretty', 'with line breaks')
  .action(async options => { await (await import('./commands/openapi.js')).default(options) })

// A reader that went away, as `| head` does, is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : FAILED))

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE
  } else {
    process.stderr.write(`${sentence(error)}\n`)
    process.exit(FAILED)
  }
}
