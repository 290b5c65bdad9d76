import { join } from 'node:path'
import { Type } from 'typebox'
import { openJsonStore } from '../../core/index.js'
import { createIdentity, type Identity } from '../printer-servers/index.js'

/** The relay's certificates by serial number; stored, because some clients pin the first one they see. */
export type Certificates = (serial: string) => Promise<Identity>

const StoredIdentities = Type.Record(Type.String(), Type.Object({
  key: Type.String(),
  certificate: Type.String(),
  fingerprint: Type.String()
}))

export async function openCertificates (folder: string, warn: (message: string) => void): Promise<Certificates> {
  const store = await openJsonStore(join(folder, 'certificates.json'), { schema: StoredIdentities, initial: {}, warn })
  return async serial => {
    const known = store.get()[serial]
    if (known !== undefined) return known
    const fresh = await createIdentity(serial)
    await store.set({ ...store.get(), [serial]: { ...fresh } })
    return fresh
  }
}
