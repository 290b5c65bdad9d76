import { join } from 'node:path'
import { ALLOCATOR } from '../memory-options.js'
import { wordsOf, type ServiceStart } from './service-start.js'
import type { ManagedService } from './types.js'

const NAME = 'prnd.service'
/** Of a service for the whole machine. */
const ACCOUNT = 'prnd'
const DATA_FOLDER = '/var/lib/prnd'
const CONFIG_FOLDER = '/etc/prnd'
const CONFIG_FILE = `${CONFIG_FOLDER}/config.json`

/** A word of a unit file. @see systemd.syntax(7), systemd.service(5) "Command lines" */
const quoted = (word: string): string => `"${word.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

const variable = ([name, value]: readonly [string, string]): string =>
  `Environment="${name}=${value.replaceAll(/["\\]/g, '\\$&').replaceAll('%', '%%')}"`

/** Of a service for the whole machine: it can write to its own two folders, and to nothing else. */
const WALLS = `
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
# Plain access codes are moved out of the configuration at the first start. Other folders, such as one for backups, need
# a line like this in a drop-in, which is not replaced: systemctl edit prnd
ReadWritePaths=${CONFIG_FOLDER}
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
LockPersonality=yes
CapabilityBoundingSet=
UMask=0077
`

/** A person's unit cannot be walled in like that: it has no rights of its own to give up. */
const WALLS_OF_A_PERSON = `
NoNewPrivileges=yes
UMask=0077
`

interface UnitParts {
  readonly start: ServiceStart
  /** Lines of `[Unit]` and `[Service]` that only one of the two kinds has. */
  readonly order?: string
  readonly account?: string
  readonly walls: string
  readonly target: string
}

function unitText ({ start, order = '', account = '', walls, target }: UnitParts): string {
  const { dataDir, configFolder } = start
  const variables = Object.entries({
    NODE_ENV: 'production', ...dataDir !== undefined && { PRN_DATA_DIR: dataDir }, ...ALLOCATOR
  })
  return `# Written by prnd service install, which also replaces it.
[Unit]
Description=prnd, for Bambu Lab printers on the local network
${order}
[Service]
Type=exec
${account}# Options that keep memory small; 1 GB is enough for several hundred printers.
ExecStart=${wordsOf(start).map(quoted).join(' ')}
${variables.map(variable).join('\n')}
# PRN_API_TOKEN and others; a missing file is not an error.
EnvironmentFile=-${join(configFolder, 'environment').replaceAll('%', '%%')}
Restart=on-failure
RestartSec=5
TimeoutStopSec=15
KillSignal=SIGTERM
${walls}
[Install]
WantedBy=${target}
`
}

/** A unit of the person who installs it. It needs no rights, and the commands of this program find its files. */
export function systemdUserUnit (start: ServiceStart): ManagedService {
  const systemctl = (...args: string[]) => ['systemctl', '--user', ...args] as const
  return {
    kind: 'systemd unit',
    file: join(start.home, '.config', 'systemd', 'user', NAME),
    text: unitText({ start, walls: WALLS_OF_A_PERSON, target: 'default.target' }),
    encoding: 'utf8',
    prepare: [],
    install: [
      { run: systemctl('daemon-reload') },
      { run: systemctl('enable', NAME) },
      { run: systemctl('restart', NAME) },
      {
        run: ['loginctl', 'enable-linger', start.user],
        otherwise: `It starts when you log in. To start it with the machine: sudo loginctl enable-linger ${start.user}`
      }
    ],
    stop: [{ run: systemctl('disable', '--now', NAME) }],
    forget: [{ run: systemctl('daemon-reload') }],
    state: { run: systemctl('is-active', NAME), running: /^active$/m },
    logs: 'journalctl --user --unit prnd'
  }
}

const ACCOUNT_OPTIONS = `--system --user-group --home-dir ${DATA_FOLDER} --shell /usr/sbin/nologin`
const shell = (line: string) => ['sh', '-c', line] as const

/** A unit of the machine, with an account of its own. */
export function systemdUnit (given: ServiceStart): ManagedService {
  const start = { ...given, configFile: CONFIG_FILE, configFolder: CONFIG_FOLDER, dataDir: DATA_FOLDER }
  return {
    kind: 'systemd unit',
    file: join('/etc/systemd/system', NAME),
    text: unitText({
      start,
      order: 'Wants=network-online.target\nAfter=network-online.target\n',
      account: `User=${ACCOUNT}\nGroup=${ACCOUNT}\nWorkingDirectory=${DATA_FOLDER}\nStateDirectory=prnd\nStateDirectoryMode=0700\n`,
      walls: WALLS,
      target: 'multi-user.target'
    }),
    encoding: 'utf8',
    prepare: [
      { run: shell(`id -u ${ACCOUNT} >/dev/null 2>&1 || useradd ${ACCOUNT_OPTIONS} ${ACCOUNT}`) },
      { run: ['install', '-d', '-o', ACCOUNT, '-g', ACCOUNT, '-m', '0700', CONFIG_FOLDER] },
      { run: shell(`test -e ${CONFIG_FILE} || echo '{}' | install -o ${ACCOUNT} -g ${ACCOUNT} -m 0600 /dev/stdin ${CONFIG_FILE}`) }
    ],
    install: [
      { run: ['systemctl', 'daemon-reload'] },
      { run: ['systemctl', 'enable', NAME] },
      { run: ['systemctl', 'restart', NAME] }
    ],
    stop: [{ run: ['systemctl', 'disable', '--now', NAME] }],
    forget: [{ run: ['systemctl', 'daemon-reload'] }],
    state: { run: ['systemctl', 'is-active', NAME], running: /^active$/m },
    logs: 'journalctl --unit prnd'
  }
}
