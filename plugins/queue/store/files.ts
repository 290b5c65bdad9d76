import type { Holder, SlicedFile } from '../types.js'
import { fileOf, rowOfFile, type Db } from './tables.js'

/** A row for each file that a service holds. */
const copyOf = (file: string, { owner, host }: Holder) => ({ id: `${file}@${owner}`, file, owner, host })

const note = (db: Db, file: string, holder: Holder) => db.insertInto('queue_copies').values(copyOf(file, holder))
  .onConflict(conflict => conflict.column('id').doUpdateSet({ host: holder.host })).execute()

/** A file that came to this service. */
export const add = (db: Db, file: SlicedFile, holder: Holder): Promise<void> =>
  db.transaction().execute(async change => {
    await change.insertInto('queue_files').values(rowOfFile(file))
      .onConflict(conflict => conflict.column('id').doUpdateSet({ name: file.name })).execute()
    await note(change, file.id, holder)
  })

/** Says which files a service holds: these and no others. */
export const holds = (db: Db, ids: readonly string[], holder: Holder): Promise<void> =>
  db.transaction().execute(async change => {
    await change.deleteFrom('queue_copies').where('owner', '=', holder.owner).execute()
    for (const id of ids) await note(change, id, holder)
  })

/** Newest first. */
export const files = async (db: Db): Promise<SlicedFile[]> =>
  (await db.selectFrom('queue_files').selectAll().orderBy('added_at', 'desc').orderBy('id').execute()).map(fileOf)

export async function holders (db: Db): Promise<Map<string, Holder[]>> {
  const rows = await db.selectFrom('queue_copies').selectAll().orderBy('host').execute()
  const found = new Map<string, Holder[]>()
  for (const { file, owner, host } of rows) found.set(file, [...found.get(file) ?? [], { owner, host }])
  return found
}

/** The file is forgotten, wherever copies of it lie. */
export const remove = (db: Db, id: string): Promise<boolean> => db.transaction().execute(async change => {
  await change.deleteFrom('queue_copies').where('file', '=', id).execute()
  return (await change.deleteFrom('queue_files').where('id', '=', id).executeTakeFirst()).numDeletedRows === 1n
})
