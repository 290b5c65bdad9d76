import type { Kernel } from '../../core/index.js'
import { completePrinter } from './completion.js'
import { definePrompt, type Prompt } from './contributions.js'

const user = (text: string) => [{ role: 'user' as const, content: { type: 'text' as const, text } }]

const known = ({ printers }: Kernel) => printers.names.length === 0
  ? 'No printer is configured yet.'
  : `Configured printers: ${printers.names.map(name => `'${name}' (${printers.get(name)?.service ?? 'no session'})`).join(', ')}.`

/** Orients an agent that meets this service for the first time. */
export const overview: Prompt = definePrompt({
  name: 'printer_overview',
  title: 'What are my printers doing?',
  description: 'Looks at every printer and sums up what it is doing and what needs attention',
  get: kernel => user(`${known(kernel)}

Give me an overview. For each printer:
1. get_session_status: if it is not connected, tell me the problem it states and stop there.
2. get_print_progress, get_temperatures and get_hms_errors.
3. Sum up in one or two lines: what it is doing, how long still, and any active error (not those labelled Historical) with what I should do.
Change nothing.`)
})

/** Finds out why a printer misbehaves, without touching it. */
export const diagnose: Prompt = definePrompt({
  name: 'diagnose_printer',
  title: 'What is wrong with this printer?',
  description: 'Works out why a printer is unreachable, refuses commands, or has stopped',
  arguments: [{ name: 'printer', description: 'Name of the printer', required: true, complete: completePrinter }],
  get: (kernel, { printer = '' }) => user(`Find out what is wrong with the printer '${printer}'. ${known(kernel)}

1. get_session_status: \`problem\` names the cause when there is no connection or no data; \`developer_mode\` off means that the printer refuses unsigned commands.
2. With a connection: get_hms_errors, get_print_progress, get_temperatures, get_ams_units.
3. If that does not explain it, read the end of the log with dump_log.
Then tell me the most likely cause, how sure you are, and the next step. Change nothing on the printer without asking me.`)
})
