import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { FtpFault } from './fault.js'
import type { FtpSession, OpenSession, FtpContext } from './session.js'
import { VERBS } from './verbs.js'

const IDLE_MS = 300_000
/** Time for the client to close its side after the last reply. */
const FAREWELL_MS = 5_000
const LONGEST_LINE = 8192
/** Limit of queued commands. */
const MOST_WAITING = 64

export interface ControlConnection {
  readonly context: FtpContext
  readonly socket: TLSSocket
  /** The TCP socket below TLS. */
  readonly raw: Socket
  /** Fault to inject at the greeting. */
  readonly greeting: FtpFault | undefined
  /** Called after the login. */
  readonly admitted: () => void
}

/** Serves one client, one command at a time. */
export function serveControlConnection ({ context, socket, raw, greeting, admitted }: ControlConnection): void {
  const session: FtpSession = {
    context,
    socket: raw,
    peer: raw.remoteAddress,
    user: '',
    card: undefined,
    cwd: '/',
    restart: 0,
    renaming: undefined,
    isProtected: false,
    passive: undefined,
    admitted,
    reply: line => { if (socket.writable) socket.write(`${line}\r\n`) },
    end (line) {
      session.reply(line)
      // Ends TLS first, because closing the TCP socket may lose the last reply.
      socket.end()
      const timer = setTimeout(() => raw.destroy(), FAREWELL_MS).unref()
      raw.once('close', () => clearTimeout(timer))
    }
  }
  let text = ''
  let waiting = 0
  let turn: Promise<void> = Promise.resolve()

  socket.setEncoding('utf8')
  socket.setTimeout(IDLE_MS, () => raw.destroy())
  socket.on('data', (chunk: unknown) => {
    text += String(chunk)
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    if (text.length > LONGEST_LINE || waiting > MOST_WAITING) return raw.destroy() as unknown as void
    for (const line of lines) take(line.replace(/\r$/, ''))
  })
  socket.once('close', () => { session.passive?.close(); leave(session) })
  if (greeting?.reply !== undefined) return session.end(greeting.reply)
  session.reply(`220 ${context.profile.welcome}`)

  function take (line: string): void {
    waiting++
    turn = turn.then(() => obey(session, line)).catch(() => { raw.destroy() }).finally(() => { waiting-- })
  }
}

async function obey (session: FtpSession, line: string): Promise<void> {
  const [, word = '', argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? []
  const name = word.toUpperCase()
  const fault = session.context.faults.take(name, session.isProtected)
  if (fault?.hangs === true) return await new Promise(() => {})
  if (fault?.resets === true) { session.passive?.close(); session.socket.resetAndDestroy(); return }
  if (fault?.reply !== undefined) return session.reply(fault.reply)
  if (name === 'QUIT') return session.end('221 Goodbye.')
  if (name === 'USER' || name === 'PASS') return await logIn(session, name, argument)
  const verb = VERBS[name]
  const needsLogin = name !== 'OPTS' && name !== 'FEAT'
  if (session.card === undefined && needsLogin) return session.reply('530 Please login with USER and PASS.')
  if (verb === undefined) return session.reply('500 Unknown command.')
  await verb(session as OpenSession, argument, fault)
}

function leave (session: FtpSession): void {
  if (session.card !== undefined) session.context.left?.(session.card)
  session.card = undefined
}

async function logIn (session: FtpSession, name: 'USER' | 'PASS', argument: string): Promise<void> {
  leave(session)
  if (name === 'USER') {
    session.user = argument
    return session.reply('331 Please specify the password.')
  }
  const { user: username, peer: address = '' } = session
  const card = await session.context.admit({ username, password: argument, address, socket: session.socket })
  session.card = card
  if (card !== undefined) session.admitted()
  if (session.socket.destroyed) leave(session)
  session.reply(card !== undefined ? '230 Login successful.' : '530 Login incorrect.')
}
