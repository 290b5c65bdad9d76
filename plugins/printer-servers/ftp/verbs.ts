import { openPassive } from './passive-port.js'
import type { OpenSession, Verb } from './session.js'
import { absolute, baseOf, type Named, type Stat } from './store.js'
import { transferToClient, transferFromClient } from './transfer.js'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Half a year: listings show the year instead of the time for older or future dates. */
const RECENT_MS = 182 * 86_400_000
const FOLDER_BYTES = 4096

const two = (value: number): string => String(value).padStart(2, '0')

function dateText (at: number, now: number): string {
  const date = new Date(at)
  const day = `${MONTHS[date.getUTCMonth()]} ${String(date.getUTCDate()).padStart(2)}`
  const isRecent = at <= now && now - at < RECENT_MS
  return isRecent
    ? `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`
    : `${day}  ${date.getUTCFullYear()}`
}

/** A line of a listing in the format of `ls -l`. */
function lsLine ({ name, isFolder, size, modifiedAt }: Named, now: number): string {
  const mode = isFolder ? 'drwxr-xr-x' : '-rw-r--r--'
  const bytes = String(isFolder ? FOLDER_BYTES : size).padStart(12)
  return `${mode}    ${isFolder ? 2 : 1} 1000     1000 ${bytes} ${dateText(modifiedAt, now)} ${name}\r\n`
}

/** `YYYYMMDDHHMMSS`, UTC. */
const mdtm = (at: number): string => new Date(at).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)

const NO_FILE = '550 Failed to open file.'
const DENIED = '550 Permission denied.'

const at = ({ cwd }: OpenSession, argument: string): string => absolute(cwd, argument)

/** Without a card, only the root exists. */
async function statOf ({ card }: OpenSession, path: string): Promise<Stat | undefined> {
  if (path === '/') return { isFolder: true, size: 0, modifiedAt: 0 }
  return card.present ? await card.store.stat(path) : undefined
}

const isWritable = ({ card }: OpenSession): boolean => card.present && !card.readOnly

/** A command that replies `done` or `failed`. */
const acts = (done: string, failed: string, work: (session: OpenSession, path: string) => Promise<void>): Verb =>
  async (session, argument) => {
    if (!isWritable(session)) return session.reply(DENIED)
    const path = at(session, argument)
    await work(session, path).then(() => session.reply(done.replace('%s', () => path)), () => session.reply(failed))
  }

async function entries (session: OpenSession, path: string, hidden: boolean): Promise<readonly Named[]> {
  const { card } = session
  const found = await statOf(session, path)
  if (found === undefined || !card.present) return []
  if (!found.isFolder) return [{ name: baseOf(path), ...found }]
  return [...await card.store.list(path)].filter(({ name }) => hidden || !name.startsWith('.'))
    .sort((a, b) => a.name < b.name ? -1 : 1)
}

const lister = (line: (entry: Named, now: number) => string): Verb => async (session, argument, fault) => {
  const path = at(session, argument.replace(/^(-\S+\s*)+/, ''))
  const now = session.context.now()
  const hidden = session.context.profile.listsHidden && /^-\S*a/.test(argument)
  const text = (await entries(session, path, hidden)).map(entry => line(entry, now)).join('')
  await transferToClient(session, '150 Here comes the directory listing.', pieces(text), fault, '226 Directory send OK.')
}

async function * pieces (text: string): AsyncGenerator<Buffer> {
  if (text !== '') yield Buffer.from(text)
}

const retr: Verb = async (session, argument, fault) => {
  const path = at(session, argument)
  const found = await statOf(session, path)
  const start = session.restart
  session.restart = 0
  if (found === undefined || found.isFolder) return session.reply(NO_FILE)
  const opening = `150 Opening BINARY mode data connection for ${argument} (${found.size} bytes).`
  await transferToClient(session, opening, session.card.store.read(path, start), fault, '226 Transfer complete.')
}

const stor: Verb = async (session, argument, fault) => {
  const path = at(session, argument)
  const start = session.restart
  session.restart = 0
  const parent = await statOf(session, absolute(path, '..'))
  const there = await statOf(session, path)
  if (!isWritable(session) || parent?.isFolder !== true || there?.isFolder === true) {
    return session.reply('553 Could not create file.')
  }
  await transferFromClient(session, '150 Ok to send data.', () => session.card.write(path, start), fault)
}

const size: Verb = async (session, argument) => {
  const found = await statOf(session, at(session, argument))
  session.reply(found === undefined || found.isFolder ? '550 Could not get file size.' : `213 ${found.size}`)
}

const modified: Verb = async (session, argument) => {
  const found = await statOf(session, at(session, argument))
  session.reply(found === undefined || found.isFolder
    ? '550 Could not get file modification time.'
    : `213 ${mdtm(found.modifiedAt)}`)
}

const changeFolder = (of: (argument: string) => string): Verb => async (session, argument) => {
  const path = at(session, of(argument))
  const found = await statOf(session, path)
  if (found?.isFolder !== true) return session.reply('550 Failed to change directory.')
  session.cwd = path
  session.reply('250 Directory successfully changed.')
}

const passive = (reply: (port: number) => string): Verb => async session => {
  session.passive?.close()
  session.passive = await openPassive(session.context.host, session.peer)
  session.reply(reply(session.passive.port))
}

const prot: Verb = (session, argument) => {
  const level = argument.toUpperCase()
  if (level === 'C' && !session.context.profile.plainData) return session.reply('536 PROT C not supported.')
  if (level !== 'P' && level !== 'C') return session.reply('504 PROT not understood.')
  session.isProtected = level === 'P'
  session.reply(level === 'P' ? '200 PROT now Private.' : '200 PROT now Clear.')
}

const rest: Verb = (session, argument) => {
  if (!session.context.profile.ranges) return session.reply('502 Command not implemented.')
  session.restart = Number(/^\d{1,15}$/.test(argument) ? argument : 0)
  session.reply(`350 Restart position accepted (${session.restart}).`)
}

const available: Verb = async ({ card, context: { profile }, reply }) => {
  if (!profile.reportsSpace) return reply('502 Command not implemented.')
  if (!card.present) return reply(NO_FILE)
  reply(`213 ${Math.max(0, card.capacity - await card.store.used())}`)
}

const feat: Verb = ({ context: { profile: { features } }, reply }) =>
  reply(features === undefined
    ? '502 Command not implemented.'
    : `211-Features:\r\n${features.map(name => ` ${name}\r\n`).join('')}211 End`)

const renameFrom: Verb = async (session, argument) => {
  const path = at(session, argument)
  if (!isWritable(session) || await statOf(session, path) === undefined) return session.reply('550 RNFR command failed.')
  session.renaming = path
  session.reply('350 Ready for RNTO.')
}

const renameTo: Verb = async (session, argument) => {
  const from = session.renaming
  session.renaming = undefined
  if (from === undefined) return session.reply('503 RNFR required first.')
  await session.card.store.rename(from, at(session, argument))
    .then(() => session.reply('250 Rename successful.'), () => session.reply('550 Rename failed.'))
}

const said = (line: string): Verb => ({ reply }) => reply(line)

/** Commands after the login; others are unknown. */
export const VERBS: Readonly<Record<string, Verb>> = {
  LIST: lister(lsLine),
  NLST: lister(({ name }) => `${name}\r\n`),
  RETR: retr,
  STOR: stor,
  SIZE: size,
  MDTM: modified,
  REST: rest,
  AVBL: available,
  DELE: acts('250 Delete operation successful.', '550 Delete operation failed.',
    async ({ card }, path) => await card.store.remove(path)),
  MKD: acts('257 "%s" created', '550 Create directory operation failed.',
    async ({ card }, path) => await card.store.makeFolder(path)),
  RMD: acts('250 Remove directory operation successful.', '550 Remove directory operation failed.',
    async ({ card }, path) => await card.store.removeFolder(path)),
  RNFR: renameFrom,
  RNTO: renameTo,
  CWD: changeFolder(argument => argument),
  CDUP: changeFolder(() => '..'),
  PWD: ({ cwd, reply }) => reply(`257 "${cwd.replaceAll('"', '""')}" is the current directory`),
  EPSV: passive(port => `229 Entering Extended Passive Mode (|||${port}|)`),
  PASV: passive(port => `227 Entering Passive Mode (0,0,0,0,${port >> 8},${port & 255}).`),
  PBSZ: said('200 PBSZ set to 0.'),
  PROT: prot,
  TYPE: (session, argument) => session.reply(/^[AI]\b/i.test(argument) ? '200 Switching to Binary mode.' : '500 Unrecognised TYPE command.'),
  STRU: said('200 Structure set to F.'),
  MODE: said('200 Mode set to S.'),
  SYST: said('215 UNIX Type: L8'),
  NOOP: said('200 NOOP ok.'),
  FEAT: feat,
  OPTS: (session, argument) => session.reply(/^UTF8/i.test(argument) ? '200 Always in UTF8 mode.' : '501 Option not understood.')
}
