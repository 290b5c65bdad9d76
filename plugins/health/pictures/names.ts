/** The pictures of each category of `analyze_active_job`. */
export const CATEGORIES = {
  X: ['job_state_composite_jpg'],
  P: ['project_thumbnail_png', 'project_layout_png'],
  C: ['raw_png', 'diff_png'],
  D: ['air_zone_png', 'mask_png', 'annotated_png', 'heat_png', 'edge_png', 'factors_radar_png'],
  H: ['health_panel_png']
} as const

export type Category = keyof typeof CATEGORIES
export type AssetName = (typeof CATEGORIES)[Category][number]
export type Assets = Readonly<Record<AssetName, Uint8Array | null>>
