import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, toSafeFileName, type JsonStore } from '../../../core/index.js'
import type { BedPose } from '../analysis/plate-mask/bed-view.js'

const Corner = Type.Tuple([Type.Number(), Type.Number()])
const File = Type.Object({
  found: Type.Array(Type.Tuple([Corner, Corner, Corner, Corner]), { maxItems: 20 }),
  rises: Type.Array(Type.Object({ kind: Type.Enum(['pinhole', 'upright']), factor: Type.Number() }), { maxItems: 20 })
})

/** Where the cameras of printers are, on disk: they do not move between jobs. */
export interface Poses {
  load (printer: string): Promise<BedPose | undefined>
  save (printer: string, pose: BedPose): Promise<void>
}

export function createPoses (folder: () => Promise<string>, warn: (message: string) => void): Poses {
  const stores = new Map<string, Promise<JsonStore<Static<typeof File>>>>()
  const storeOf = (printer: string) => {
    const known = stores.get(printer) ?? folder().then(path => openJsonStore(
      join(path, `camera_pose_${toSafeFileName(printer)}.json`), { schema: File, initial: { found: [], rises: [] }, warn }
    ))
    stores.set(printer, known)
    known.catch(() => stores.delete(printer)) // opening may succeed later
    return known
  }
  return {
    async load (printer) {
      const pose = (await storeOf(printer)).get()
      return pose.found.length > 0 ? pose : undefined
    },
    async save (printer, pose) {
      const store = await storeOf(printer)
      if (JSON.stringify(store.get()) !== JSON.stringify(pose)) await store.set(pose as Static<typeof File>)
    }
  }
}
