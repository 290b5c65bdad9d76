import { open } from 'node:fs/promises'
import type { Database } from '../../database/index.js'
import type { Db } from './tables.js'

/** Part size: a row of the database is read and written as a whole. */
const PART_BYTES = 512 * 1024

/** Contents of sliced files in a database that several services share, so that each of them can print every file. */
export interface Contents {
  /** Stores a file; parts that are already stored stay as they are. */
  write (id: string, path: string): Promise<void>
  /** Yields nothing for a file that is not stored. */
  read (id: string): AsyncIterable<Buffer>
}

export const createContents = ({ query }: Pick<Database, 'query'>): Contents => ({
  async write (id, path) {
    const file = await open(path)
    try {
      const buffer = Buffer.alloc(PART_BYTES)
      let parts = 0
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, PART_BYTES)
        if (bytesRead === 0) break
        const row = { id: `${id}:${parts}`, file: id, number: parts++, data: buffer.toString('base64', 0, bytesRead) }
        await query((db: Db) => db.insertInto('queue_parts').values(row)
          .onConflict(conflict => conflict.column('id').doNothing()).execute())
      }
      const { numUpdatedRows } = await query((db: Db) =>
        db.updateTable('queue_files').set({ parts }).where('id', '=', id).executeTakeFirstOrThrow())
      if (numUpdatedRows > 0n) return
      await query((db: Db) => db.deleteFrom('queue_parts').where('file', '=', id).execute()) // it was removed meanwhile
    } finally {
      await file.close()
    }
  },
  async * read (id) {
    const row = await query((db: Db) =>
      db.selectFrom('queue_files').select('parts').where('id', '=', id).executeTakeFirst())
    for (let number = 0; number < (row?.parts ?? 0); number++) {
      const part = await query((db: Db) =>
        db.selectFrom('queue_parts').select('data').where('id', '=', `${id}:${number}`).executeTakeFirst())
      if (part === undefined) return
      yield Buffer.from(part.data, 'base64')
    }
  }
})
