import type { Command } from 'commander'

export type Shell = 'bash' | 'zsh' | 'fish'

const visible = (command: Command): readonly Command[] => command.createHelp().visibleCommands(command)
const optionsOf = (command: Command): string[] =>
  command.createHelp().visibleOptions(command).flatMap(({ long }) => long ?? [])

/** Possible next words: at the start, and after each command. */
const wordsOf = (command: Command): string => [...visible(command).map(one => one.name()), ...optionsOf(command)].join(' ')

const bash = (program: Command): string => `_prnd() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[1]}" in
${visible(program).map(command => `    ${command.name()}) words="${wordsOf(command)}" ;;`).join('\n')}
    *) words="${wordsOf(program)}" ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words="${wordsOf(program)}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _prnd prnd`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (program: Command): string => visible(program).flatMap(command => [
  `complete -c prnd -n __fish_use_subcommand -a ${command.name()} -d ${quoted(command.description())}`,
  ...visible(command).map(one => `complete -c prnd -n '__fish_seen_subcommand_from ${command.name()}' -a ${one.name()} ` +
    `-d ${quoted(one.description())}`),
  ...optionsOf(command).map(long => `complete -c prnd -n '__fish_seen_subcommand_from ${command.name()}' -l ${long.slice(2)}`)
]).join('\n')

/** A script that completes commands and options of this version in a shell. */
export function completionFor (shell: Shell, program: Command): string {
  if (shell === 'fish') return fish(program)
  return shell === 'bash' ? bash(program) : `autoload -U +X compinit bashcompinit && compinit && bashcompinit\n${bash(program)}`
}

export default (shell: Shell, program: Command): void => console.log(completionFor(shell, program))
