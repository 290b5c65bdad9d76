import { spawn, spawnSync, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, readdirSync } from 'node:fs'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Test } from 'tap'
import { testFolder } from '../../helpers/folder.js'
import { eventually } from '../../helpers/eventually.js'

const SOCKET = '.s.PGSQL.5432'
const DEBIAN = '/usr/lib/postgresql'

const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined
const programs = newest === undefined ? undefined : join(DEBIAN, newest, 'bin')
const isThere = programs !== undefined && existsSync(join(programs, 'initdb'))

/** The server refuses to run as root, so that Debian's user of that name runs it there. */
const isRoot = process.getuid?.() === 0

function idOf (flag: '-u' | '-g'): number | undefined {
  try {
    return Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return undefined
  }
}
const [uid, gid] = isRoot ? [idOf('-u'), idOf('-g')] : []

/** Why there is no server to test against; false when there is. */
export const withoutPostgres: string | false = !isThere
  ? 'PostgreSQL is not installed'
  : isRoot && uid === undefined ? 'there is no user postgres to run the server' : false

const isReady = (folder: string): boolean =>
  spawnSync(join(programs ?? '', 'pg_isready'), ['-h', folder], { stdio: 'ignore' }).status === 0

/** A server of this test's own on a socket. */
export async function startPostgres (t: Pick<Test, 'teardown'>) {
  const folder = testFolder(t)
  const user = { ...(uid !== undefined && gid !== undefined && { uid, gid }), cwd: folder }
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid)
  chmodSync(folder, 0o700)
  const data = join(folder, 'data')
  execFileSync(join(programs ?? '', 'initdb'), ['-D', data, '-U', 'prnd', '--auth=trust', '--no-sync', '-E', 'UTF8'],
    { ...user, stdio: 'ignore' })
  let end = async () => {}
  async function start (): Promise<void> {
    const server = spawn(join(programs ?? '', 'postgres'),
      ['-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'fsync=off'], { ...user, stdio: 'ignore' })
    const ended = new Promise<void>(resolve => server.once('exit', () => resolve()))
    end = async () => {
      server.kill('SIGINT')
      await ended
    }
    await eventually(() => isReady(folder))
  }
  await start()
  t.teardown(() => end())
  let databases = 0
  const urlOf = (name: string) => `postgres://prnd@localhost/${name}?host=${folder}`
  return {
    url: urlOf('postgres'),
    /** Makes an empty database. @returns its address */
    newDatabase (): string {
      const name = `test${++databases}`
      execFileSync(join(programs ?? '', 'createdb'), ['-h', folder, '-U', 'prnd', name])
      return urlOf(name)
    },
    /** A way to the server on which it can be silent, without an end of its connections. */
    proxy: async (t: Pick<Test, 'teardown'>) => {
      const own = testFolder(t)
      const sockets = new Set<Socket>()
      let isSilent = false
      const listener = createServer(client => {
        const up = connect(join(folder, SOCKET))
        for (const [from, to] of [[client, up], [up, client]] as const) {
          sockets.add(from.on('error', () => {}))
          from.on('data', data => { if (!isSilent) to.write(data) }).on('close', () => to.destroy())
        }
      }).listen(join(own, SOCKET))
      await once(listener, 'listening')
      t.teardown(() => {
        for (const socket of sockets) socket.destroy()
        listener.close()
      })
      return {
        urlOf: (url: string) => url.replace(folder, own),
        beSilent: (value: boolean) => { isSilent = value }
      }
    },
    start,
    stop: () => end()
  }
}
