import type { Command } from 'commander'
import { createProgram } from '../../presets/cli/program.js'
import { block, page } from './markdown.js'

const WIDTH = 100

/** What `--help` prints, as on a terminal of a fixed width without colours. */
function helpOf (command: Command): string {
  let text = ''
  command.configureOutput({
    writeOut: part => { text += part },
    getOutHelpWidth: () => WIDTH,
    getOutHasColors: () => false
  })
  command.outputHelp()
  return text.trimEnd()
}

function sections (command: Command, path: readonly string[]): string[] {
  const names = [...path, command.name()]
  return [`## ${names.join(' ')}`, block(helpOf(command), 'text'),
    ...[...command.commands].flatMap(inner => sections(inner, names))]
}

export const cliPage = (): string => page(
  '# Command line',
  'In a clone, `prnd` is `node dist/presets/cli/main.js`, and `npm start -- …` is `prnd daemon …`. Exit codes: 0 done, 1 failed, ' +
  '2 wrong usage.',
  sections(createProgram(), [])
)
