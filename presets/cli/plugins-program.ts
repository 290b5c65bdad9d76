import type { Command } from 'commander'
import { pluginName, type PluginName } from './plugin-name.js'

/** `prnd plugins …`. */
export function addPluginCommands (program: Command, withConfig: (command: Command) => Command): void {
  const plugins = program.command('plugins').description('plugins of the service')
  const json = ['--json', 'for programs: everything, as one JSON document'] as const

  const yes = ['--yes', 'do not ask'] as const

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

  plugins.command('search').description('search the npm registry for plugins')
    .argument('[words...]', 'what it is about')
    .option(...json)
    .action(async (words: string[], options) => { await (await import('./commands/plugin-packages.js')).search(words, options) })

  withConfig(plugins.command('add')
    .description('show who published a plugin, and what it was built from; then install it beside the configuration')
    .argument('<package>', 'such as prnd-plugin-bed-watch, or prnd-plugin-bed-watch@1.2.0')
    .option(...yes))
    .action(async (name: string, options) => { await (await import('./commands/plugin-packages.js')).add(name, options) })

  withConfig(plugins.command('update')
    .description('install newer versions of plugins that were installed with add')
    .argument('[package]', 'one of them (default: all)')
    .option(...yes))
    .action(async (name: string | undefined, options) => {
      await (await import('./commands/plugin-packages.js')).update(name, options)
    })

  withConfig(plugins.command('remove')
    .description('remove a plugin from the configuration, and what was installed')
    .argument('<package>', 'as in the configuration'))
    .action(async (name: string, options) => { await (await import('./commands/plugin-packages.js')).remove(name, options) })

  plugins.command('create').description('create a working plugin with a test in a new folder')
    .argument('<name>', 'such as bed-watch, prnd-plugin-bed-watch or @me/prnd-plugin-bed-watch', pluginName)
    .option('--dir <folder>', 'target folder (default: named after the package)')
    .action(async (name: PluginName, options) => { await (await import('./commands/create-plugin.js')).default(name, options) })
}
