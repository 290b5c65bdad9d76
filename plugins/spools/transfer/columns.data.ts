// What the columns of lists are called: our own names, those of Spoolman's export (flattened with dots) and of its API,
// of lists from 3dfilamentprofiles.com, and words that people write above a column.

/** Columns that are read and written, in the order of an export. */
export const COLUMNS = [
  'id', 'name', 'brand', 'line', 'material', 'color', 'color_name', 'diameter_mm', 'density', 'net_g', 'left_g', 'used_g',
  'empty_g', 'price', 'currency', 'nozzle_min_c', 'nozzle_max_c', 'bed_c', 'dry_c', 'dry_hours', 'place', 'place_kind',
  'lot', 'tag', 'bought_at', 'opened_at', 'dried_at', 'archived', 'catalogue', 'notes'
] as const
export type Column = (typeof COLUMNS)[number]

/**
 * Other names, written in small letters with underscores. Of several columns for one thing, the first that is not empty
 * counts.
 */
export const ALIASES: Readonly<Record<Column, readonly string[]>> = {
  id: ['spool_id', 'spool.id'],
  name: ['spool_name', 'title', 'bezeichnung'],
  brand: ['filament.vendor.name', 'vendor', 'vendor.name', 'manufacturer', 'maker', 'marke', 'hersteller'],
  line: ['filament.name', 'product', 'product_line', 'material_type', 'finish', 'serie', 'produkt'],
  material: ['filament.material', 'filament_type', 'material_name'],
  color: ['filament.color_hex', 'filament.multi_color_hexes', 'color_hex', 'colour_hex', 'hex', 'rgb', 'colour', 'farbe', 'farbcode'],
  color_name: ['colour_name', 'farbname'],
  diameter_mm: ['filament.diameter', 'diameter', 'durchmesser'],
  density: ['filament.density', 'dichte'],
  net_g: ['initial_weight', 'filament.weight', 'weight', 'net_weight', 'full_weight', 'gewicht', 'nettogewicht'],
  left_g: ['remaining_weight', 'remaining_grams', 'remaining', 'left', 'restgewicht', 'rest', 'verbleibend'],
  used_g: ['used_weight', 'used', 'verbraucht'],
  empty_g: ['spool_weight', 'filament.spool_weight', 'filament.vendor.empty_spool_weight', 'empty_weight', 'tare', 'tara', 'leergewicht'],
  price: ['filament.price', 'cost', 'preis'],
  currency: ['wahrung', 'waehrung'],
  nozzle_min_c: ['nozzle_temp_min', 'extruder_temp_min'],
  nozzle_max_c: ['filament.settings_extruder_temp', 'nozzle_temp_max', 'extruder_temp_max', 'extruder_temp', 'nozzle_temp'],
  bed_c: ['filament.settings_bed_temp', 'bed_temp', 'plate_temp'],
  dry_c: ['drying_temp', 'dry_temp'],
  dry_hours: ['drying_hours', 'drying_time'],
  place: ['location', 'storage', 'shelf', 'ort', 'lagerort', 'platz'],
  place_kind: [],
  lot: ['lot_nr', 'batch', 'charge'],
  tag: ['tag_uid', 'rfid', 'extra.tag'],
  bought_at: ['bought', 'purchased', 'purchase_date', 'gekauft', 'kaufdatum'],
  opened_at: ['opened', 'first_used', 'geoffnet'],
  dried_at: ['dried', 'last_dried', 'getrocknet'],
  archived: ['archiviert'],
  catalogue: ['filament.external_id', 'external_id'],
  notes: ['comment', 'note', 'notizen', 'kommentar', 'filament.comment']
}
