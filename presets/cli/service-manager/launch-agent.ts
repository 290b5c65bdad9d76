import { join } from 'node:path'
import { wordsOf, type ServiceStart } from './service-start.js'
import type { ManagedService } from './types.js'
import { xmlText } from './xml-text.js'

const LABEL = 'prnd'
/** Programs such as ffmpeg are looked for here: launchd itself knows only the folders of the system. */
const PATH = '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

const string = (text: string): string => `<string>${xmlText(text)}</string>`

function propertyList (start: ServiceStart, log: string): string {
  const { dataDir } = start
  const variables = Object.entries({ NODE_ENV: 'production', PATH, ...dataDir !== undefined && { PRN_DATA_DIR: dataDir } })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by prnd service install, which also replaces it. -->
<plist version="1.0">
<dict>
  <key>Label</key>${string(LABEL)}
  <key>ProgramArguments</key>
  <array>
${wordsOf(start).map(word => `    ${string(word)}`).join('\n')}
  </array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.map(([name, value]) => `    <key>${name}</key>${string(value)}`).join('\n')}
  </dict>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ExitTimeOut</key><integer>15</integer>
  <key>Umask</key><integer>63</integer>
  <key>StandardErrorPath</key>${string(log)}
</dict>
</plist>
`
}

/** A launch agent of macOS: it starts when the person logs in. */
export function launchAgent (start: ServiceStart): ManagedService {
  const file = join(start.home, 'Library', 'LaunchAgents', `${LABEL}.plist`)
  const log = join(start.home, 'Library', 'Logs', 'prnd.log')
  const domain = `gui/${start.uid}`
  return {
    kind: 'launch agent',
    file,
    text: propertyList(start, log),
    encoding: 'utf8',
    prepare: [{ run: ['launchctl', 'bootout', `${domain}/${LABEL}`], otherwise: '' }], // an earlier one
    install: [{ run: ['launchctl', 'enable', `${domain}/${LABEL}`] }, { run: ['launchctl', 'bootstrap', domain, file] }],
    stop: [{ run: ['launchctl', 'bootout', `${domain}/${LABEL}`], otherwise: '' }],
    forget: [],
    state: { run: ['launchctl', 'print', `${domain}/${LABEL}`], running: /^\s*state = running$/m },
    logs: `tail ${log}`
  }
}
