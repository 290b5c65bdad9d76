const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Text between tags. */
export const xmlText = (text: string): string => text.replaceAll(/[&<>]/g, one => ENTITIES[one] ?? one)
