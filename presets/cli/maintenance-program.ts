import type { Command } from 'commander'

const commands = () => import('./commands/maintenance.js')

/** `prnd maintenance …`: what is to do on the printers of a running service. */
export function addMaintenanceCommands (program: Command, withConfig: (command: Command) => Command): void {
  const maintenance = program.command('maintenance').description('maintenance: what is due, and what was done')
  const json = ['--json', 'print JSON'] as const

  withConfig(maintenance.command('list').description('list what is due and soon due, the most urgent first')
    .argument('[printer]', 'only of this printer')
    .option('--all', 'also what is not due yet')
    .option(...json))
    .action(async (printer: string | undefined, options) => { await (await commands()).list(printer, options) })

  withConfig(maintenance.command('done').description('record that tasks of a printer were done')
    .argument('<printer>', 'its name')
    .argument('<tasks...>', 'ids of tasks, as in the list')
    .option('--note <text>', 'what was found or changed'))
    .action(async (printer: string, tasks: string[], options) => {
      await (await commands()).done(printer, tasks, options)
    })

  withConfig(maintenance.command('undo').description('take back that a task was done')
    .argument('<id>', 'as prnd maintenance history shows it'))
    .action(async (id: string, options) => { await (await commands()).undo(id, options) })

  withConfig(maintenance.command('history').description('list what was done, newest first')
    .argument('[printer]', 'only of this printer')
    .option(...json))
    .action(async (printer: string | undefined, options) => { await (await commands()).history(printer, options) })
}
