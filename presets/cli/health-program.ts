import type { Command } from 'commander'

const listOf = (text: string): string[] => text.split(',').map(part => part.trim()).filter(part => part !== '')

const numbersOf = (text: string): number[] => listOf(text).map(Number)

/** `prnd health …`. */
export function addHealthCommands (program: Command, withConfig: (command: Command) => Command): void {
  const health = program.command('health').description('networks that judge prints, and what computes them')
  const model = health.command('model').description('networks that judge prints (ONNX): the built-in one, and those that you add')

  withConfig(model.command('add')
    .description('add a network from a file or an address; it is fetched now and never again')
    .argument('<source>', 'file, or https address')
    .option('--name <name>', 'how it is called (default: after the file)')
    .option('--kind <kind>', 'detection, embedding or classifier (default: by its answers)')
    .option('--boxes <format>', 'of a detection: corners, yolov8, yolov5 or final (default: by its answers)')
    .option('--labels <labels>', 'its classes in order, separated by commas', listOf)
    .option('--failing <labels>', 'which of them are failures', listOf)
    .option('--fit <fit>', 'how it sees pictures: stretch, letterbox, crop, centre or tiles (default: by its kind)')
    .option('--size <pixels>', 'of its input, such as 640 or 640x384, where the file leaves it open')
    .option('--scale <range>', 'numbers that it takes: 0..1 or 0..255')
    .option('--mean <numbers>', 'taken off the numbers: one, or three separated by commas', numbersOf)
    .option('--std <numbers>', 'what they are divided by then: one, or three separated by commas', numbersOf)
    .option('--threshold <certainty>', 'boxes of less certainty are ignored, 0.01 to 0.99', Number)
    .option('--prototypes <source>', 'for an embedding: JSON with the prototypes of success and failure')
    .option('--licence <text>', 'its licence, where the file does not say'))
    .action(async (source: string, options) => { await (await import('./commands/health.js')).add(source, options) })
  withConfig(model.command('list').description('list the networks with source, checksum and licence'))
    .action(async options => { await (await import('./commands/health.js')).list(options) })
  withConfig(model.command('test')
    .description('say how each network was understood, and what it thinks of pictures')
    .argument('<pictures...>', 'JPEG or PNG files')
    .option('--model <name>', 'only this network')
    .option('--out <folder>', 'write the pictures with their boxes there'))
    .action(async (pictures: string[], options) => { await (await import('./commands/health.js')).test(pictures, options) })
  withConfig(model.command('remove').description('remove a network').argument('<name>', 'its name'))
    .action(async (name: string, options) => { await (await import('./commands/health.js')).remove(name, options) })

  const runtime = withConfig(health.command('runtime').description('what computes networks on this machine')
    .usage('[install | remove]'))
    .action(async options => { await (await import('./commands/health-runtime.js')).show(options) })
  withConfig(runtime.command('install').description('install it into the data folder'))
    .action(async options => { await (await import('./commands/health-runtime.js')).install(options) })
  withConfig(runtime.command('remove').description('remove it again'))
    .action(async options => { await (await import('./commands/health-runtime.js')).remove(options) })
}
