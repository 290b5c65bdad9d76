import type { Command } from 'commander'
import { pluginName, type PluginName } from './plugin-name.js'

/** `prn plugins …`. */
export function addPluginCommands (program: Command, withConfig: (command: Command) => Command): void {
  const plugins = program.command('plugins').description('plugins of the service')
  const json = ['--json', 'for programs: everything, as one JSON document'] as const

  withConfig(plugins.command('list')
    .description('show every plugin: version, range, what it touches and adds; those that you added in full')
    .argument('[name]', 'one plugin, in full')
    .option(...json))
    .action(async (name: string | undefined, options) => {
      await (await import('./commands/plugins.js')).list(name, options)
    })

  withConfig(plugins.command('check')
    .description('load every plugin of the configuration and say whether it would start')
    .option(...json))
    .action(async options => { await (await import('./commands/plugins.js')).check(options) })

  plugins.command('create').description('write a plugin that works, with its test, into a new folder')
    .argument('<name>', 'such as bed-watch, prn-plugin-bed-watch or @me/prn-plugin-bed-watch', pluginName)
    .option('--dir <folder>', 'where to (default: a folder named like the package)')
    .action(async (name: PluginName, options) => { await (await import('./commands/create-plugin.js')).default(name, options) })
}
