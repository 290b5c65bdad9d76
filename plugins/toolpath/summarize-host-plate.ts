import { join } from 'node:path'
import type { Target } from './findings/types.js'
import type { SummaryView } from './schemas.js'
import { openHostFile } from './source/host-file.js'
import { openPlate } from './source/open-plate.js'
import { summaryOf } from './summary.js'
import { PlateReader } from './worker/plate-reader.js'

const MOST_TRACK_BYTES = 64 * 1024 ** 2

export interface SummarizeOptions {
  /** Where what was read is kept meanwhile. */
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * A plate of a file on this host in figures and findings, for a command without a service.
 * @throws errors of the file system, PRN_ERR_PLATE_UNREADABLE, the signal's reason
 */
export async function summarizeHostPlate (
  path: string, plate: number, target: Target, { folder, signal }: SummarizeOptions
): Promise<SummaryView> {
  const file = await openHostFile(path)
  const reader = new PlateReader()
  try {
    const source = await openPlate(file, plate, signal)
    const reading = await reader.read(source, {
      target, trackPath: join(folder, 'track'), mostTrackBytes: MOST_TRACK_BYTES
    }, signal)
    return summaryOf(reading, path, plate, target)
  } finally {
    await reader.close()
    await file.close()
  }
}
