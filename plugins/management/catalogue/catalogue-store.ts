import { join } from 'node:path'
import { Type, type Static } from 'typebox'
import { openJsonStore, type HmsCatalogue, type JsonStore } from '../../../core/index.js'

/** URL of the vendor's fault texts. */
export const VENDOR = 'https://e.bambulab.com'

const Catalogue = Type.Object({
  version: Type.Literal(1),
  /** ms since the epoch; 0 for never. */
  fetchedAt: Type.Number(),
  language: Type.String(),
  /** By code: 16 digits of an HMS entry, 8 of an error. */
  texts: Type.Record(Type.String({ pattern: '^([0-9A-F]{8}|[0-9A-F]{16})$' }), Type.String()),
  /** Button ids by model prefix and code. */
  actions: Type.Record(Type.String(), Type.Record(Type.String(), Type.Array(Type.Integer())))
})
export type Catalogue = Static<typeof Catalogue>

const NONE: Catalogue = { version: 1, fetchedAt: 0, language: '', texts: {}, actions: {} }

/** The copy of the vendor's fault texts in the data folder. */
export const openCatalogue = (dataDir: string, warn: (message: string) => void): Promise<JsonStore<Catalogue>> =>
  openJsonStore(join(dataDir, 'catalogue', 'faults.json'), { schema: Catalogue, initial: NONE, warn })

/** Adds the texts to the catalogue in use; other codes keep the built-in ones. */
export function applyCatalogue (faults: HmsCatalogue, { texts, actions }: Catalogue): void {
  faults.addTexts(texts)
  for (const [prefix, ids] of Object.entries(actions)) faults.addActions(prefix, ids)
}
