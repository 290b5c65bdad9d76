const MIB = 1024 ** 2

/** Of a file, and of each model inside a 3MF once unpacked. */
export const MOST_FILE_BYTES = 256 * MIB
export const MOST_UNPACKED_BYTES = 1024 * MIB
/** Of a file, and of everything on a bed. */
export const MOST_TRIANGLES = 5_000_000
/** Corners that are not shared need three for each triangle. */
export const MOST_VERTICES = 3 * MOST_TRIANGLES
/** From the origin. */
export const MOST_MM = 10_000
export const MOST_PARTS = 1_000
/** On a bed. */
export const MOST_INSTANCES = 1_000
/** Of a line of text, or of a tag. */
export const MOST_LINE_BYTES = 64 * 1024
export const MOST_NAME_LENGTH = 100
/** Corners of one polygon of an OBJ file. */
export const MOST_CORNERS = 1_000
/** Of objects that are made of other objects, and of elements of XML. */
export const MOST_DEPTH = 32
/** Objects of a 3MF file. */
export const MOST_OBJECTS = 20_000
/** Files of a 3MF archive that hold models. */
export const MOST_MODEL_FILES = 2_000
