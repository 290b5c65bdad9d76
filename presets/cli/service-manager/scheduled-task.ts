import { join } from 'node:path/win32'
import { wordsOf, type ServiceStart } from './service-start.js'
import type { ManagedService } from './types.js'
import { xmlText } from './xml-text.js'

const NAME = 'prnd'

/** An argument as Windows splits it; a path has no quotation marks. */
const quoted = (word: string): string => /\s/.test(word) ? `"${word}"` : word

/** By its first character Windows sees that a file is UTF-16. */
const HEAD = '\uFEFF<?xml version="1.0" encoding="UTF-16"?>'

/**
 * Starts with the machine, and again within a minute of its end: a task that runs already is left alone.
 * @see Task Scheduler Schema of Windows
 */
const taskText = ([node, ...args]: ReturnType<typeof wordsOf>, user: string): string => `${HEAD}
<!-- Written by prnd service install, which also replaces it. -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>prnd, for Bambu Lab printers on the local network</Description></RegistrationInfo>
  <Triggers>
    <BootTrigger><Repetition><Interval>PT1M</Interval></Repetition><Enabled>true</Enabled></BootTrigger>
  </Triggers>
  <Principals>
    <Principal id="Author">
      <UserId>${xmlText(user)}</UserId>
      <LogonType>S4U</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <Priority>6</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xmlText(quoted(node))}</Command>
      <Arguments>${xmlText(args.map(quoted).join(' '))}</Arguments>
    </Exec>
  </Actions>
</Task>
`

/** A task of Windows, which needs no other program to be a service. */
export function scheduledTask (start: ServiceStart): ManagedService {
  const file = join(start.configFolder, 'prnd-task.xml')
  return {
    kind: 'scheduled task',
    file,
    text: taskText(wordsOf(start), start.user),
    encoding: 'utf16le',
    prepare: [{ run: ['schtasks', '/end', '/tn', NAME], otherwise: '' }], // an earlier one
    install: [{ run: ['schtasks', '/create', '/tn', NAME, '/xml', file, '/f'] }, { run: ['schtasks', '/run', '/tn', NAME] }],
    stop: [{ run: ['schtasks', '/end', '/tn', NAME], otherwise: '' }, { run: ['schtasks', '/delete', '/tn', NAME, '/f'] }],
    forget: [],
    state: { run: ['powershell', '-NoProfile', '-Command', `(Get-ScheduledTask -TaskName ${NAME}).State`], running: /^Running\s*$/m },
    logs: 'GET /api/log, or the file prnd.log of the data folder'
  }
}
