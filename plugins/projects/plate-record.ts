import type { Archive } from './archive/index.js'
import type { PlateRecord } from './read/plate-record.js'

export type { PlateRecord } from './read/plate-record.js'

/** Reads what an archive says of a plate beside its G-code. */
export async function readPlateRecord (archive: Archive, plate: number): Promise<PlateRecord> {
  const { readRecord } = await import('./read/index.js') // only with the first project, because its libraries are large
  return await readRecord(archive, plate)
}
