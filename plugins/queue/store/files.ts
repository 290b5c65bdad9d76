import type { SlicedFile } from '../types.js'
import { fileOf, rowOfFile, type Db } from './tables.js'

/** Records a stored file, or its new name. */
export async function add (db: Db, file: SlicedFile): Promise<void> {
  await db.insertInto('queue_files').values(rowOfFile(file))
    .onConflict(conflict => conflict.column('id').doUpdateSet({ name: file.name })).execute()
}

/** Newest first. */
export const files = async (db: Db): Promise<SlicedFile[]> =>
  (await db.selectFrom('queue_files').selectAll().orderBy('added_at', 'desc').orderBy('id').execute()).map(fileOf)

/** Removes a file's record, with its content in the database. */
export const remove = (db: Db, id: string): Promise<boolean> => db.transaction().execute(async change => {
  await change.deleteFrom('queue_parts').where('file', '=', id).execute()
  return (await change.deleteFrom('queue_files').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n
})
