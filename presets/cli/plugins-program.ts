import type { Command } from 'commander'
import { pluginName, type PluginName } from './plugin-name.js'

/** `prnd plugins …`. */
export function addPluginCommands (program: Command, withConfig: (command: Command) => Command): void {
  const plugins = program.command('plugins').description('plugins of the service')
  const json = ['--json', 'for programs: everything, as one JSON document'] as const

  withConfig(plugins.command('list')
    .description('list the plugins: version, kernel range, what they use and add; your own in full')
    .argument('[name]', 'one plugin, in full')
    .option(...json))
    .action(async (name: string | undefined, options) => {
      await (await import('./commands/plugins.js')).list(name, options)
    })

  withConfig(plugins.command('check')
    .description('load every configured plugin, start none, and report what is wrong')
    .option(...json))
    .action(async options => { await (await import('./commands/plugins.js')).check(options) })

  plugins.command('create').description('create a working plugin with a test in a new folder')
    .argument('<name>', 'such as bed-watch, prnd-plugin-bed-watch or @me/prnd-plugin-bed-watch', pluginName)
    .option('--dir <folder>', 'target folder (default: named after the package)')
    .action(async (name: PluginName, options) => { await (await import('./commands/create-plugin.js')).default(name, options) })
}
