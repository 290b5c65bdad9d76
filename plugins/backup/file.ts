import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, realpath, rename, rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Type, type Static } from 'typebox'
import { checkReplaceable, validationError } from '../../core/index.js'
import type { TableRows } from '../database/index.js'
import { BackupExists, BadBackup } from './errors.js'

/** Version of the file format; newer ones are refused. */
export const FORMAT = 1
/** A line contains some hundred rows. */
const LONGEST_LINE = 64_000_000
const OWNER_ONLY = 0o600

/** The format name is that of version 2, whose backups can still be restored. */
const Header = Type.Object({
  prn: Type.Literal('backup'),
  format: Type.Integer(),
  version: Type.String(),
  at: Type.String(),
  versions: Type.Record(Type.String(), Type.Integer({ minimum: 0 }))
})
export type Header = Static<typeof Header>

/** A file of the data folder, or the configuration, as text. */
export interface TextFile { readonly file: string, readonly text: string }
export type Entry = TableRows | TextFile

const LONGEST_NAME = 200
const Name = Type.String({ maxLength: LONGEST_NAME })
const Value = Type.Union([Type.String(), Type.Number(), Type.Null()])
const Lines = Type.Union([
  Header,
  Type.Object({ file: Name, text: Type.String() }),
  Type.Object({ table: Name, rows: Type.Array(Type.Record(Type.String(), Value)) }),
  Type.Object({ end: Type.Integer() })
])

/** Writes gzipped JSON lines: a header, the entries, and their number as proof of completeness. */
export async function writeBackup (
  path: string, { force, lines }: { force: boolean, lines: AsyncIterable<Header | Entry> }
): Promise<void> {
  if (!force && await lstat(path).then(() => true, () => false)) throw new BackupExists(path)
  await checkReplaceable(path)
  const part = `${path}.${randomBytes(6).toString('hex')}.part`
  async function * text (): AsyncGenerator<string> {
    let count = 0
    for await (const line of lines) {
      count++
      yield `${JSON.stringify(line)}\n`
    }
    yield `${JSON.stringify({ end: count })}\n`
  }
  try {
    await pipeline(Readable.from(text()), createGzip(), createWriteStream(part, { flags: 'wx', mode: OWNER_ONLY, flush: true }))
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

/** Lines of a gzipped text, of limited length. Each byte of a long line is scanned only once. */
async function * linesOf (path: string): AsyncGenerator<unknown> {
  let rest: string[] = []
  let length = 0
  const text = createReadStream(path).pipe(createGunzip()).setEncoding('utf8')
  for await (const chunk of text as AsyncIterable<string>) {
    const [first = '', ...lines] = chunk.split('\n')
    rest.push(first)
    length += first.length
    if (length > LONGEST_LINE) throw new BadBackup(path, 'a line is too long')
    for (const line of lines) {
      yield JSON.parse(rest.join(''))
      rest = [line]
      length = line.length
    }
  }
}

const isHeader = (line: unknown): line is Header => validationError(Header, line) === undefined

/** Reads a backup to its end without using it. @throws PRN_ERR_BACKUP unless it is complete and of a known format */
export async function checkBackup (path: string): Promise<Header> {
  let header: Header | undefined
  let count = 0
  let end: unknown
  await checkReplaceable(await realpath(path)) // a pipe cannot be read twice
  try {
    for await (const line of linesOf(path)) {
      if (header === undefined) {
        if (!isHeader(line)) break
        header = line
      }
      const problem = validationError(Lines, line)
      if (problem !== undefined) throw new Error(`one of its entries is none: ${problem}`)
      end = (line as { end?: unknown }).end
      if (end === undefined) count++
    }
  } catch (error) {
    throw new BadBackup(path, (error as Error).message)
  }
  if (header === undefined) throw new BadBackup(path, 'it does not begin like one')
  if (header.format > FORMAT) throw new BadBackup(path, `prnd ${header.version} wrote it in a format of its own; use that version or a newer one`)
  if (end !== count) throw new BadBackup(path, 'its end is missing')
  return header
}

/** The contents of a checked backup. */
export async function * entriesOf (path: string): AsyncGenerator<Entry> {
  for await (const line of linesOf(path)) if (!isHeader(line) && !('end' in (line as object))) yield line as Entry
}
