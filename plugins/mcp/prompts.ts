import type { Kernel } from '../../core/index.js'
import { completePrinter } from './completion.js'
import { definePrompt, type Prompt } from './contributions.js'

const user = (text: string) => [{ role: 'user' as const, content: { type: 'text' as const, text } }]

const known = ({ printers }: Kernel) => printers.names.length === 0
  ? 'No printer is configured yet.'
  : `Configured printers: ${printers.names.map(name => `'${name}' (${printers.get(name)?.service ?? 'no session'})`).join(', ')}.`

export const overviewPrompt: Prompt = definePrompt({
  name: 'printer_overview',
  title: 'What are my printers doing?',
  description: 'Looks at every printer and sums up what it is doing and what needs attention',
  get: kernel => user(`${known(kernel)}

Give me an overview. For each printer:
1. get_session_status: if it is not connected, tell me the problem it states and stop there.
2. get_print_progress, get_temperatures and get_hms_errors.
3. list_prints with limit 3: how its last prints ended.
4. Sum up in one or two lines: what it is doing, how long still, and any active error (not those labelled Historical) with what I should do.
Change nothing.`)
})

export const diagnosePrompt: Prompt = definePrompt({
  name: 'diagnose_printer',
  title: 'What is wrong with this printer?',
  description: 'Works out why a printer is unreachable, refuses commands, or has stopped',
  arguments: [{ name: 'printer', description: 'Name of the printer', required: true, complete: completePrinter }],
  get: (kernel, { printer = '' }) => user(`Find out what is wrong with the printer '${printer}'. ${known(kernel)}

1. get_session_status: \`problem\` names the cause when there is no connection or no data; \`developer_mode\` off means that the printer refuses unsigned commands.
2. With a connection: get_hms_errors, get_print_progress, get_temperatures, get_ams_units.
3. list_prints with this name: what happened to its last prints. list_recordings: what the camera recorded of them.
4. If that does not explain it, read the end of the log with dump_log.
Then tell me the most likely cause, how sure you are, and the next step. Change nothing on the printer without asking me.`)
})

const PRINTER = { name: 'printer', description: 'Name of the printer', required: true, complete: completePrinter } as const

export const printPlatePrompt: Prompt = definePrompt({
  name: 'print_a_plate',
  title: 'Print a plate',
  description: 'Finds a project on the card, checks the spools, and prints a plate after you agreed',
  arguments: [PRINTER, { name: 'what', description: 'File, or words of its name; and the plate if not the first' }],
  get: (kernel, { printer = '', what = '' }) => user(`Print ${what === '' ? 'a plate that I choose' : `'${what}'`} on \
the printer '${printer}'. ${known(kernel)}

1. get_print_progress and get_hms_errors: stop and tell me if a job runs or an error is active.
2. list_sdcard_files with only_3mf and limit, page by page, until the file is found. Ask me if several would do.
3. get_project_info and get_plate_thumbnail: show me what the plate is.
4. preview_ams_mapping: tell me its mapping_words and warnings. Never set accept_mismatch on your own.
5. When I agree: print_file with user_permission. Then get_print_progress until the job has begun, and say so.`)
})

export const watchPrintPrompt: Prompt = definePrompt({
  name: 'watch_print',
  title: 'Watch a print',
  description: 'Follows the job and tells you only when something needs you',
  arguments: [PRINTER],
  get: (kernel, { printer = '' }) => user(`Watch the print on '${printer}'. ${known(kernel)}

Subscribe to prnd://printers/${encodeURIComponent(printer)} and its /health if you can, else check every few minutes:
1. get_print_progress, get_pending_alerts with clear false, and get_hms_errors.
2. With an alert or a doubt: get_snapshot, and say what you see.
Tell me when the job ends, pauses, or something looks wrong: what it is, how sure you are, what I can do. Change nothing \
without asking me; if the print is clearly failing, ask whether to pause_print.`)
})

export const whyFailedPrompt: Prompt = definePrompt({
  name: 'why_did_it_fail',
  title: 'Why did the print fail?',
  description: 'Works out why the last job stopped, and what to change before the next',
  arguments: [PRINTER],
  get: (kernel, { printer = '' }) => user(`Find out why the last print on '${printer}' failed. ${known(kernel)}

1. get_job_info and get_hms_errors: how far it came, and the errors; Historical ones may be the cause here.
2. get_pending_alerts with clear false: what happened in which order.
3. get_snapshot: what is on the plate now. prnd://printers/${encodeURIComponent(printer)}/health has the last verdict.
4. list_prints with this name, then get_print: what was recorded of it, and of those before. list_recordings: what the camera recorded.
5. get_current_job_project_info and get_spool_info: do material and temperatures fit?
Tell me the most likely cause, how sure you are, and what to change. Change nothing on the printer.`)
})
