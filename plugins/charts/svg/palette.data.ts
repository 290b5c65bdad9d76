/**
 * Colours of the two themes. Lines of one plot differ in hue and in lightness, so that people with any colour vision
 * can tell them apart, and each contrasts with its background by at least 3:1; the shapes at their ends help further.
 */
export const DARK = {
  panel: '#161b22',
  ink: '#e6edf3',
  muted: '#9ea9b5',
  grid: '#30363d',
  warn: '#ffb454',
  bad: '#ff7b72',
  s1: '#f2843c',
  s2: '#6ea8fe',
  s3: '#5ee6b0',
  s4: '#c06fa0',
  s5: '#f0e442',
  s6: '#a9b6ff'
} as const

export const LIGHT: Record<keyof typeof DARK, string> = {
  panel: '#ffffff',
  ink: '#1f2328',
  muted: '#57606a',
  grid: '#d8dee4',
  warn: '#8a4b00',
  bad: '#b3261e',
  s1: '#bf5b00',
  s2: '#2a78c8',
  s3: '#00513b',
  s4: '#8c1d7a',
  s5: '#746900',
  s6: '#7b88c6'
}
