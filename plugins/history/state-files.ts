import { join } from 'node:path'
import { Type } from 'typebox'
import { openInstanceId, openJsonStore } from '../../core/index.js'
import type { Newest } from './newest-prints.js'
import type { Shown } from './shown-jobs.js'
import { Starts } from './starts.js'
import { RESULTS } from './types.js'

const NewestFile = Type.Unsafe<Newest>(Type.Record(Type.String(), Type.Object({
  id: Type.String(),
  result: Type.Enum(RESULTS),
  job: Type.Object({}),
  times: Type.Object({}),
  filaments: Type.Array(Type.Object({}))
})))

const ShownFile = Type.Unsafe<Shown>(Type.Record(Type.String(), Type.Object({
  taskId: Type.String(), subtaskId: Type.String(), subtaskName: Type.String(), plate: Type.Number()
})))

/** The state from which a restarted service continues, even without the database. */
export async function openStateFiles (folder: string, warn: (message: string) => void) {
  const compact = { initial: {}, warn, compact: true }
  const newest = await openJsonStore(join(folder, 'newest.json'), { schema: NewestFile, ...compact })
  const shown = await openJsonStore(join(folder, 'shown.json'), { schema: ShownFile, ...compact })
  const starts = await openJsonStore(join(folder, 'starts.json'), { schema: Starts, ...compact })
  return {
    newest,
    shown,
    starts,
    /** Of this service, across restarts. */
    instance: await openInstanceId(folder, warn)
  }
}

export type StateFiles = Awaited<ReturnType<typeof openStateFiles>>
