/** A sheet of labels, or one label of a label printer. All lengths in mm, from the upper left corner of the page. */
export interface Sheet {
  readonly id: string
  /** As printed on the package, for people who look for their sheet. */
  readonly name: string
  readonly page: readonly [width: number, height: number]
  readonly label: readonly [width: number, height: number]
  readonly columns: number
  readonly rows: number
  /** Upper left corner of the first label. */
  readonly first: readonly [left: number, top: number]
  /** From one label to the next, to the right and down. */
  readonly pitch: readonly [x: number, y: number]
}

const A4 = [210, 297] as const
const LETTER = [215.9, 279.4] as const

const single = (width: number, height: number): Sheet => ({
  id: `${width}x${height}`,
  name: `${width} × ${height} mm`,
  page: [width, height],
  label: [width, height],
  columns: 1,
  rows: 1,
  first: [0, 0],
  pitch: [width, height]
})

/** Measures as the makers publish them in their templates. */
export const SHEETS: readonly Sheet[] = [
  {
    id: 'avery-l7160',
    name: 'Avery L7160 / J8160, A4, 21 × 63.5 × 38.1 mm',
    page: A4,
    label: [63.5, 38.1],
    columns: 3,
    rows: 7,
    first: [7.25, 15.15],
    pitch: [66, 38.1]
  },
  {
    id: 'avery-l7159',
    name: 'Avery L7159 / J8159, A4, 24 × 63.5 × 33.9 mm',
    page: A4,
    label: [63.5, 33.9],
    columns: 3,
    rows: 8,
    first: [7.25, 12.9],
    pitch: [66, 33.9]
  },
  {
    id: 'avery-3474',
    name: 'Avery Zweckform 3474, A4, 24 × 70 × 37 mm',
    page: A4,
    label: [70, 37],
    columns: 3,
    rows: 8,
    first: [0, 0.5],
    pitch: [70, 37]
  },
  {
    id: 'avery-5160',
    name: 'Avery 5160 / 8160, Letter, 30 × 2⅝ × 1 in',
    page: LETTER,
    label: [66.675, 25.4],
    columns: 3,
    rows: 10,
    first: [4.7625, 12.7],
    pitch: [69.85, 25.4]
  },
  {
    id: 'avery-5163',
    name: 'Avery 5163 / 8163, Letter, 10 × 4 × 2 in',
    page: LETTER,
    label: [101.6, 50.8],
    columns: 2,
    rows: 5,
    first: [3.96875, 12.7],
    pitch: [106.3625, 50.8]
  },
  single(62, 29),
  single(50, 30),
  single(40, 30)
]
