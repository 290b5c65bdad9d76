import { Argument, type Command } from 'commander'

/** Choices of `prn completion`. */
const SHELLS = ['bash', 'zsh', 'fish'] as const

/** What people do with running prints: `prn jobs`, `prn watch`, `prn pause`, `prn resume`, `prn stop`. */
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

  program.command('completion').description('print a script that completes commands in a shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nbash: prn completion bash > ~/.local/share/bash-completion/completions/prn\n' +
      'zsh:  add to ~/.zshrc: source <(prn completion zsh)\n' +
      'fish: prn completion fish > ~/.config/fish/completions/prn.fish')
    .action(async (shell: typeof SHELLS[number]) => { (await import('./commands/completion.js')).default(shell, program) })
}
