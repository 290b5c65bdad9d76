/** Formats of tags that are read and written. The sources are those that the tables of this folder were made from. */
export const TAG_FORMATS = [
  {
    id: 'openspool',
    name: 'OpenSpool',
    version: '1.0',
    source: 'https://github.com/spuder/OpenSpool, README.md, "OpenSpool Protocol"',
    type: 'application/json',
    tags: 'NTAG215 or NTAG216'
  },
  {
    id: 'opentag3d',
    name: 'OpenTag3D',
    version: '1.000',
    source: 'https://opentag3d.info/spec, https://github.com/queengooborg/OpenTag3D, _data/spec.json',
    type: 'application/opentag3d',
    tags: 'NTAG215 or NTAG216'
  },
  {
    id: 'openprinttag',
    name: 'OpenPrintTag',
    version: 'as of 2026',
    source: 'https://specs.openprinttag.org, https://github.com/prusa3d/OpenPrintTag, docs_src/nfc_data_format.md and data/*.yaml',
    type: 'application/vnd.openprinttag',
    tags: 'ICODE SLIX2'
  }
] as const

export type TagFormat = (typeof TAG_FORMATS)[number]['id']

/** A field of OpenTag3D: where it is in the record, in bytes, and what its number is multiplied by. */
export interface TagField {
  readonly start: number
  readonly length: number
  readonly scale?: number
}

export const OPEN_TAG3D = {
  version: { start: 0x00, length: 2, scale: 0.001 },
  material: { start: 0x02, length: 5 },
  modifier: { start: 0x07, length: 5 },
  manufacturer: { start: 0x1b, length: 16 },
  colorName: { start: 0x2b, length: 32 },
  color: { start: 0x4b, length: 4 },
  diameterMm: { start: 0x5c, length: 2, scale: 0.001 },
  netGrams: { start: 0x5e, length: 2 },
  nozzleC: { start: 0x60, length: 1, scale: 5 },
  bedC: { start: 0x61, length: 1, scale: 5 },
  density: { start: 0x62, length: 2, scale: 0.001 },
  serial: { start: 0x90, length: 16 },
  measuredGrams: { start: 0xae, length: 2 },
  lowestNozzleC: { start: 0xb4, length: 1, scale: 5 },
  highestNozzleC: { start: 0xb5, length: 1, scale: 5 },
  lowestBedC: { start: 0xb6, length: 1, scale: 5 },
  highestBedC: { start: 0xb7, length: 1, scale: 5 }
} satisfies Record<string, TagField>
/** Sizes of its record: with the core only, and with the extended fields. */
export const OPEN_TAG3D_BYTES = { core: 0x70, extended: 0xbb }

/** Keys of OpenPrintTag, by section. */
export const OPEN_PRINT_TAG = {
  meta: { mainOffset: 0, mainSize: 1, auxOffset: 2, auxSize: 3 },
  main: {
    instanceUuid: 0,
    materialClass: 8,
    materialType: 9,
    materialName: 10,
    brandName: 11,
    nominalGrams: 16,
    actualGrams: 17,
    color: 19,
    density: 29,
    diameterMm: 30,
    lowestNozzleC: 34,
    highestNozzleC: 35,
    lowestBedC: 37,
    highestBedC: 38,
    abbreviation: 52
  },
  /** `user` says whose the keys of the general range are; `spool` is one of them. */
  aux: { consumedGrams: 0, user: 2, spool: 65_400 }
} as const

/** Materials of OpenPrintTag: a tag has the position in this list. */
export const MATERIAL_TYPES: readonly string[] = [
  'PLA', 'PETG', 'TPU', 'ABS', 'ASA', 'PC', 'PCTG', 'PP', 'PA6', 'PA11', 'PA12', 'PA66', 'CPE', 'TPE', 'HIPS', 'PHA', 'PET',
  'PEI', 'PBT', 'PVB', 'PVA', 'PEKK', 'PEEK', 'BVOH', 'TPC', 'PPS', 'PPSU', 'PVC', 'PEBA', 'PVDF', 'PPA', 'PCL', 'PES', 'PMMA',
  'POM', 'PPE', 'PS', 'PSU', 'TPI', 'OBC'
]

/** Memory for users, in bytes. */
export const TAG_BYTES = [
  { name: 'NTAG213', bytes: 144 },
  { name: 'ICODE SLIX2', bytes: 312 },
  { name: 'NTAG215', bytes: 504 },
  { name: 'NTAG216', bytes: 888 }
] as const
