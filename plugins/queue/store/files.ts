import type { SlicedFile } from '../types.js'
import { fileOf, rowOfFile, type Db } from './tables.js'

/** Records a stored file, or its new name. */
export async function add (db: Db, file: SlicedFile): Promise<void> {
  await db.insertInto('queue_files').values(rowOfFile(file))
    .onConflict(conflict => conflict.column('id').doUpdateSet({ name: file.name })).execute()
}

/** @param parts that a plate gives; undefined: as its objects @returns false when there is no such file */
export const setParts = (
  db: Db, id: string, plate: number, parts: number | undefined
): Promise<boolean> => db.transaction().execute(async change => {
  // Locks the row, so that two changes do not undo each other.
  await change.updateTable('queue_files').set(eb => ({ size: eb.ref('size') })).where('id', '=', id).execute()
  const row = await change.selectFrom('queue_files').select('part_counts').where('id', '=', id).executeTakeFirst()
  if (!row) return false
  const { [plate]: _, ...others } = JSON.parse(row.part_counts) as Record<string, number>
  const counts = parts === undefined ? others : { ...others, [plate]: parts }
  await change.updateTable('queue_files').set({ part_counts: JSON.stringify(counts) }).where('id', '=', id).execute()
  return true
})

/** Newest first. */
export const files = async (db: Db): Promise<SlicedFile[]> =>
  (await db.selectFrom('queue_files').selectAll().orderBy('added_at', 'desc').orderBy('id').execute()).map(fileOf)

/** Removes a file's record, with its content in the database. */
export const remove = (db: Db, id: string): Promise<boolean> => db.transaction().execute(async change => {
  await change.deleteFrom('queue_parts').where('file', '=', id).execute()
  return (await change.deleteFrom('queue_files').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n
})
