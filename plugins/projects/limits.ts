const KIB = 1024
const MIB = 1024 * KIB

/** Plates with a higher number are not read. */
export const MOST_PLATES = 30
/** An archive with more entries is not a slicer's project. */
export const MOST_ENTRIES = 4_096
export const LARGEST_DIRECTORY = 4 * MIB
/** Uncompressed, each. */
export const LARGEST_TEXT = 2 * MIB
export const LARGEST_IMAGE = 8 * MIB
/** Of a plate's toolpaths only the beginning is read: it holds the settings. */
export const GCODE_HEAD = 128 * KIB
/** Content that expands by more than this ratio and the slack is treated as a decompression bomb. */
export const LARGEST_RATIO = 200
export const RATIO_SLACK = MIB
/** px, either side. */
export const LARGEST_SIDE = 4_096
/** Tags of an XML document: each costs far more memory and time than its characters. */
export const MOST_TAGS = 30_000
/** Attributes, for the same reason; and words, because the parser takes a word without a value for an attribute. */
export const MOST_ATTRIBUTES = 40_000
export const MOST_WORDS = 150_000
/** Outlined objects of a plate beyond these are ignored. */
export const MOST_BOXES = 2_000
/** Filaments of a project, and listed objects of a plate, beyond these are ignored. */
export const MOST_FILAMENTS = 256
export const MOST_PARTS = 4_000
/** A file up to this size is read whole for its checksum; of larger ones only the parts are read. */
export const LARGEST_HASHED = 2 * MIB
/** Archives read at the same time. */
export const MOST_READERS = 2
/** Sizes of the project cache in memory and of the store on disk. */
export const CACHE_BYTES = 24 * MIB
export const STORE_BYTES = 64 * MIB
