import type { FilamentSource, RequestedPlate } from './filament-source.js'
import { isMismatch, type Finding } from './judge.js'
import { matchRecord } from './resolve.js'
import { loadedSpools } from './trays.js'

export const mappingText = (mapping: readonly number[]): string => `[${mapping.join(', ')}]`

const warning = (finding: Finding) => ({ ...finding, needs_accept: isMismatch(finding) })

/** The findings on a mapping, for callers. */
export const judgementRecord = ({ findings, words }: Pick<FilamentSource, 'findings' | 'words'>) =>
  ({ warnings: findings.map(warning), mapping_words: [...words] })

/** The same record for a preview and for a refusal. */
export function sourceRecord ({ path, plateNumber, plate }: RequestedPlate, source: FilamentSource) {
  const { mapping, matches, unmatched, trays } = source
  return {
    file_path: path,
    plate_num: plateNumber,
    bed_type: plate?.bedType ?? '',
    filaments: (plate?.filaments ?? []).map(({ id, type, color }) => ({ id, type, color })),
    resolved_ams_mapping: [...mapping],
    ams_mapping_json: mappingText(mapping),
    matches: matches.map(matchRecord),
    unmatched: unmatched.map(({ id, type, color }) => ({ id, type, color })),
    loaded_spools: loadedSpools(trays).map(({ trayId, type, color }) => ({ tray_id: trayId, type, color })),
    external_spools: trays.filter(({ isHolder }) => isHolder)
      .map(({ trayId, type, color }) => ({ slot_id: trayId, type, color })),
    ...judgementRecord(source)
  }
}
