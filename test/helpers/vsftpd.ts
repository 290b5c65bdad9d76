import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { createIdentity } from '../../plugins/emulator/index.js'
import { eventually } from './eventually.js'
import { freePort } from './ports.js'
import { findProgram } from './programs.js'

// The server that most printers carry, as Debian ships it, started as a child with a card of its own.

const program = findProgram('vsftpd')

/** Why it cannot run here; false when it can. */
export const NO_VSFTPD: string | false = program === undefined
  ? 'vsftpd is not installed'
  : userInfo().uid === 0 ? false : 'vsftpd must be started by root'

export interface Vsftpd {
  readonly port: number
  readonly fingerprint: string
  /** The folder /sd: the server lets nobody write into its root. What is in it must belong to its user. */
  readonly root: string
  /** What it was told and what it said. */
  log (): Promise<string>
}

const isOpen = (port: number) => new Promise<boolean>(resolve => {
  const socket = connect(port, '127.0.0.1', () => { socket.destroy(); resolve(true) })
  socket.once('error', () => resolve(false))
})

/** Logins without an account are the only ones that need no change to the machine's users. */
const settings = (folder: string, jail: string, port: number): Record<string, string | number> => ({
  listen: 'YES',
  listen_address: '127.0.0.1',
  listen_port: port,
  background: 'NO',
  seccomp_sandbox: 'NO',
  isolate: 'NO',
  isolate_network: 'NO',
  anonymous_enable: 'YES',
  local_enable: 'NO',
  anon_root: jail,
  secure_email_list_enable: 'YES',
  email_password_file: join(folder, 'codes'),
  secure_chroot_dir: join(folder, 'empty'),
  write_enable: 'YES',
  anon_upload_enable: 'YES',
  anon_mkdir_write_enable: 'YES',
  anon_other_write_enable: 'YES',
  anon_world_readable_only: 'NO',
  anon_umask: '022',
  ssl_enable: 'YES',
  implicit_ssl: 'YES',
  allow_anon_ssl: 'YES',
  force_anon_data_ssl: 'YES',
  force_anon_logins_ssl: 'YES',
  require_ssl_reuse: 'YES',
  ssl_tlsv1: 'YES',
  ssl_ciphers: 'HIGH',
  rsa_cert_file: join(folder, 'certificate.pem'),
  rsa_private_key_file: join(folder, 'key.pem'),
  log_ftp_protocol: 'YES',
  xferlog_enable: 'YES',
  vsftpd_log_file: join(folder, 'log')
})

/** The one user that logs in here. */
export const VSFTPD_USER = 'ftp'

/** Starts the server with a certificate for this serial; it ends with the test. */
export async function startVsftpd (t: Pick<Test, 'teardown'>, serial: string, accessCode: string,
  more: Readonly<Record<string, string>> = {}): Promise<Vsftpd> {
  const folder = await mkdtemp(join(tmpdir(), 'prnd-vsftpd-')) // its user may not enter where the tests are
  await chmod(folder, 0o755)
  const jail = join(folder, 'jail')
  const root = join(jail, 'sd')
  const [port, identity] = await Promise.all([freePort(), createIdentity(serial)])
  await mkdir(root, { recursive: true })
  await mkdir(join(folder, 'empty'), { mode: 0o755 })
  await giveAway(root)
  await writeFile(join(folder, 'certificate.pem'), identity.certificate)
  await writeFile(join(folder, 'key.pem'), identity.key, { mode: 0o600 })
  await writeFile(join(folder, 'codes'), `${accessCode}\n`)
  const lines = Object.entries({ ...settings(folder, jail, port), ...more }).map(([key, value]) => `${key}=${value}`)
  const config = join(folder, 'vsftpd.conf')
  await writeFile(config, `${lines.join('\n')}\n`)
  await chmod(config, 0o600)
  const child = spawn(program ?? '', [config], { stdio: 'ignore', detached: true })
  t.teardown(async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL') // with the processes of its connections
    } catch {} // it is gone already
    await rm(folder, { recursive: true, force: true })
  })
  await eventually(() => isOpen(port))
  return {
    port,
    fingerprint: identity.fingerprint,
    root,
    log: () => readFile(join(folder, 'log'), 'utf8').catch(() => '')
  }
}

/** Hands a file or folder to the user that the server runs as. */
export async function giveAway (path: string): Promise<void> {
  const users = await readFile('/etc/passwd', 'utf8')
  const [, , uid, gid] = users.split('\n').find(line => line.startsWith(`${VSFTPD_USER}:`))?.split(':') ?? []
  await chown(path, Number(uid), Number(gid))
  await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644)
}
