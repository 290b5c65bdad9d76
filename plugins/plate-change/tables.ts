export interface RecipeRow {
  id: string
  /** JSON. */
  fields: string
  changed_at: number
  changed_by: string
}

export interface AcceptanceRow {
  id: string
  serial: string
  recipe: string
  hash: string
  consequence: string
  accepted_at: number
  accepted_by: string
}

export interface PrinterRow {
  id: string
  /** Ejections since the magazine was filled. */
  used: number
  /** Of the magazine when a recipe was last inserted; 0 if it was not counted. */
  size: number
  /** JSON: corners of the bed in pictures. */
  mask: string
  /** Hash of the measurement that a person accepted; empty for none. */
  measured: string
  measured_by: string
}

/** `inserted`: the file was made; `over`: nothing is left to do. */
export type RunState = 'inserted' | 'cooling' | 'checking' | 'unsure' | 'cleared' | 'over'
export const OPEN_STATES = ['inserted', 'cooling', 'checking', 'unsure'] as const satisfies readonly RunState[]

export interface RunRow {
  id: string
  serial: string
  printer: string
  job: string
  recipe: string
  hash: string
  state: RunState
  reason: string
  /** Of the job that the printer reported when the print ended. */
  identity: string
  /** When the queue's plate became used. */
  plate_since: number
  changed_at: number
}

export interface PictureRow {
  id: string
  serial: string
  kind: 'empty' | 'full'
  /** Base64. */
  jpeg: string
  taken_at: number
  taken_by: string
}

export interface Tables {
  'plate-change_recipes': RecipeRow
  'plate-change_acceptances': AcceptanceRow
  'plate-change_printers': PrinterRow
  'plate-change_runs': RunRow
  'plate-change_pictures': PictureRow
}
