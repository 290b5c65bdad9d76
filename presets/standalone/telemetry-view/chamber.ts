import type { Reading } from '../../../plugins/external-chamber/index.js'
import type { StateDocument } from '../../../plugins/state/index.js'
import { immutableJson } from '../../../core/index.js'

interface Kept { readonly reading: Reading, readonly document: StateDocument }
const kept = new WeakMap<StateDocument, Kept>()

/** The state document with the temperature of the chamber that the printer stands in, where it measures none. */
export function withChamber (document: StateDocument, reading: Reading | undefined): StateDocument {
  if (reading === undefined) return document
  const known = kept.get(document)
  if (known?.reading === reading) return known.document
  const { _config: config, _printer_state: state } = document
  const climate = { ...state.climate, chamber_temp: reading.celsius ?? state.climate.chamber_temp }
  const made = immutableJson({
    ...document,
    _config: { ...config, external_chamber: true },
    _printer_state: { ...state, climate }
  }) as StateDocument
  kept.set(document, { reading, document: made })
  return made
}
