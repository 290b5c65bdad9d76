import { Argument, InvalidArgumentError, Option, type Command } from 'commander'

/** Choices of `prnd completion`. */
const SHELLS = ['bash', 'zsh', 'fish'] as const
const BED_TYPES = ['auto', 'cool_plate', 'eng_plate', 'hot_plate', 'textured_plate']

function count (text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 to 999 is needed')
  return Number(text)
}

function trays (text: string): readonly number[] {
  if (!/^-?\d{1,3}(,-?\d{1,3})*$/.test(text)) throw new InvalidArgumentError('numbers of trays are needed, such as 0,-1,2')
  return text.split(',').map(Number)
}

function codes (text: string): readonly string[] {
  if (!/^[a-z_\d]+(,[a-z_\d]+)*$/.test(text)) throw new InvalidArgumentError('codes of findings are needed, such as md5_mismatch')
  return text.split(',')
}

/** `prnd print`, with the options of the pages' print dialog. */
function addPrint (program: Command, withConfig: (command: Command) => Command): void {
  withConfig(program.command('print')
    .description('print a sliced file: shows plate, time and spools, asks, then starts it or adds it to the queue')
    .argument('<file>', 'a sliced project, .3mf')
    .addArgument(new Argument('[printer]', 'its name; left out where there is only one, or with --queue for any'))
    .option('--plate <n>', 'plate, where more than one is sliced', count)
    .option('--spools <trays>', 'tray of each filament in order, -1 unused, e.g. 0,2 (default: by type and colour)', trays)
    .option('--external', 'print from the external spool holder')
    .addOption(new Option('--bed <type>', 'build plate').choices(BED_TYPES).default('auto'))
    .option('--no-leveling', 'do not level the bed first')
    .option('--flow', 'calibrate the flow first')
    .option('--timelapse', 'record a timelapse')
    .option('--accept-mismatch', 'print although a material, a colour or a nozzle side is wrong, or the queue knows the plate to be used')
    .option('--accept-findings <codes>', 'print in spite of these findings in the plate, e.g. md5_mismatch', codes)
    .option('--queue', 'add it to the queue, which chooses the spools')
    .option('--copies <n>', 'copies, with --queue', count)
    .option('-y, --yes', 'do not ask'))
    .action(async (file: string, printer: string | undefined, options) => {
      await (await import('./commands/print.js')).default(file, printer, options)
    })
}

function share (text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 100) throw new InvalidArgumentError('a whole number from 0 to 100 is needed')
  return Number(text)
}

/** `prnd slice`, with what the page of the same name offers. */
function addSlice (program: Command, withConfig: (command: Command) => Command): void {
  withConfig(program.command('slice')
    .description('slice models for a printer with the slicer of the service; sends nothing to the printer')
    .argument('<files...>', 'models: .stl, .obj or .3mf')
    .option('--printer <name>', 'for which printer (default: the only one, or the default printer)')
    .option('--material <name>', 'such as PLA, PETG or ABS (default: PLA)')
    .addOption(new Option('--quality <name>', 'layers and walls').choices(['fine', 'standard', 'draft', 'strong']))
    .option('--profile <name>', 'an imported profile, in place of material and quality')
    .option('--engine <name>', 'prusa-slicer, orca-slicer or bambu-studio (default: the first that suits the profile)')
    .option('--copies <n>', 'of each model', count)
    .option('--supports', 'supports where the model overhangs')
    .option('--brim <mm>', 'width of a brim', count)
    .option('--infill <percent>', 'how dense the inside is (default: that of the quality)', share)
    .option('--lay-flat', 'lay each model on its largest flat side')
    .option('--repair', 'close holes of the models')
    .option('--out <file>', 'save the sliced file, such as plate.gcode.3mf')
    .option('--queue', 'add it to the queue of the printer'))
    .action(async (files: readonly string[], options) => { await (await import('./commands/slice.js')).default(files, options) })
}

/** `prnd profiles`: settings of people's own slicers. */
function addProfiles (program: Command, withConfig: (command: Command) => Command): void {
  const profiles = withConfig(program.command('profiles').description('profiles of your own slicer, for prnd slice and the page Slice')
    .usage('[import | remove]')
    .option('--printer <name>', 'whether they suit this printer (default: the default printer)'))
    .action(async options => { await (await import('./commands/profiles.js')).list(options) })
  withConfig(profiles.command('import').description('import settings of PrusaSlicer, OrcaSlicer or Bambu Studio, with their start code')
    .argument('[files...]', 'an .ini or G-code of PrusaSlicer; JSON presets or an exported bundle of OrcaSlicer or Bambu Studio')
    .option('--name <name>', 'its name here (default: that of the file, or of the presets)')
    .option('--printer-preset <name>', 'of several, or of those that your slicer has')
    .option('--print-preset <name>', 'of several, or of those that your slicer has')
    .option('--filament-preset <name>', 'of several, or of those that your slicer has'))
    .action(async (files: readonly string[], options) => { await (await import('./commands/profiles.js')).importProfile(files, options) })
  withConfig(profiles.command('remove').description('remove an imported profile').argument('<name>', 'its name'))
    .action(async (name: string, options) => { await (await import('./commands/profiles.js')).remove(name, options) })
}

/** Commands for prints: `prnd print`, `slice`, `jobs`, `watch`, `pause`, `resume`, `stop`. */
export function addJobCommands (program: Command, withConfig: (command: Command) => Command): void {
  const name = () => new Argument('[printer]', 'its name; left out where there is only one')

  withConfig(program.command('jobs').description('show what every printer is doing, who needs a person first')
    .option('--json', 'print JSON'))
    .action(async options => { await (await import('./commands/jobs.js')).jobs(options) })
  withConfig(program.command('watch').description('follow a print until it is over; exit code 1 when it failed or was stopped')
    .addArgument(name()))
    .action(async (printer: string | undefined, options) => { await (await import('./commands/jobs.js')).watch(printer, options) })
  withConfig(program.command('pause').description('pause the running print').addArgument(name()))
    .action(async (printer: string | undefined, options) => {
      await (await import('./commands/jobs.js')).control('pause', printer, options)
    })
  withConfig(program.command('resume').description('go on with a paused print').addArgument(name()))
    .action(async (printer: string | undefined, options) => {
      await (await import('./commands/jobs.js')).control('resume', printer, options)
    })
  withConfig(program.command('stop').description('stop the running print for good; asks first').addArgument(name())
    .option('-y, --yes', 'do not ask'))
    .action(async (printer: string | undefined, options) => {
      await (await import('./commands/jobs.js')).control('stop', printer, options)
    })

  addPrint(program, withConfig)
  addSlice(program, withConfig)
  addProfiles(program, withConfig)

  program.command('completion').description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nbash: prnd completion bash > ~/.local/share/bash-completion/completions/prnd\n' +
      'zsh:  add to ~/.zshrc: source <(prnd completion zsh)\n' +
      'fish: prnd completion fish > ~/.config/fish/completions/prnd.fish')
    .action(async (shell: typeof SHELLS[number]) => { (await import('./commands/completion.js')).default(shell, program) })
}
