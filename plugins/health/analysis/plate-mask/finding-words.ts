/** What a picture shows otherwise than the toolpath. */
export type MaskFinding =
  | { readonly kind: 'missing', readonly mm: number, readonly layer: number, readonly share: number }
  | { readonly kind: 'moved' | 'beside', readonly mm: number, readonly layer: number }
  | { readonly kind: 'stopped', readonly mm: number, readonly layers: number, readonly layer: number }

/** The graver first. */
const ORDER: readonly MaskFinding['kind'][] = ['missing', 'moved', 'stopped', 'beside']

const about = (value: number): number => value < 20 ? Math.round(value) : 5 * Math.round(value / 5)

function words (finding: MaskFinding): string {
  const { kind, mm, layer } = finding
  if (kind === 'missing') return `Part missing: nothing is where layer ${layer} should have ${about(mm)} mm of part.`
  if (kind === 'moved') return 'Part moved: it lies beside the place where it should be.'
  if (kind === 'stopped') {
    return `No plastic for about ${about(finding.layers)} layers: the part is ${about(mm)} mm lower than it should be.`
  }
  return `Plastic reaches ${about(mm)} mm beyond the part: layers may have shifted.`
}

/** A sentence about the gravest finding; undefined without one. */
export function wordsOf (findings: readonly MaskFinding[]): string | undefined {
  const [gravest] = [...findings].sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || b.mm - a.mm)
  return gravest && words(gravest)
}
