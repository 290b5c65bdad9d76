const KIB = 1024
const MIB = 1024 * KIB

/** Plates of a higher number are passed over. */
export const MOST_PLATES = 30
/** An archive of more entries is no project of a slicer. */
export const MOST_ENTRIES = 4_096
export const LARGEST_DIRECTORY = 4 * MIB
/** Uncompressed, each. */
export const LARGEST_TEXT = 2 * MIB
export const LARGEST_IMAGE = 8 * MIB
/** Of a plate's toolpaths only the beginning is read: it holds the settings. */
export const GCODE_HEAD = 128 * KIB
/** A text or an image that grows more than this, and by more than the slack, is made to harm. */
export const LARGEST_RATIO = 200
export const RATIO_SLACK = MIB
/** px, either side. */
export const LARGEST_SIDE = 4_096
/** Tags of a document: each costs far more memory and time than its letters. */
export const MOST_TAGS = 30_000
/** Their attributes, for the same reason; and words, as one without a value is an attribute for the parser too. */
export const MOST_ATTRIBUTES = 40_000
export const MOST_WORDS = 150_000
/** Objects of a plate beyond these are passed over. */
export const MOST_BOXES = 2_000
/** Filaments of a project, and objects of a plate, beyond these are passed over. */
export const MOST_FILAMENTS = 256
export const MOST_PARTS = 4_000
/** A file up to this size is read whole for its checksum; of larger ones only the parts are read. */
export const LARGEST_HASHED = 2 * MIB
/** Archives that are read at the same time. */
export const MOST_READERS = 2
/** What is kept of projects that were read, in memory and on disk. */
export const CACHE_BYTES = 24 * MIB
export const STORE_BYTES = 64 * MIB
