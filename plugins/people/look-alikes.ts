/** A Latin letter, followed by similar letters of other scripts. */
const LOOKS_LIKE = ['aаα', 'bЬβ', 'cсϲ', 'dԁ', 'eеε', 'gɡ', 'hһ', 'iіιı', 'jјϳ', 'kкκ', 'lӏ', 'mмμ', 'nոη', 'oоοօ', 'pрρ', 'qԛ',
  'rг', 'sѕ', 'tтτ', 'uυս', 'vѵν', 'wԝω', 'xхχ', 'yуγү', 'zζ']
const LATIN_OF: ReadonlyMap<string, string> = new Map(LOOKS_LIKE
  .flatMap(([latin = '', ...others]) => others.map(other => [other, latin] as const)))

/** Names with the same skeleton look the same to a reader. */
export const skeletonOf = (name: string): string =>
  [...name.normalize('NFKC').toLowerCase()].map(letter => LATIN_OF.get(letter) ?? letter).join('')

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
/** Scripts with similar letters; others may be mixed with Latin, as in Japanese names. */
const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u]

/** @returns why a name could be confused with another one, if it could */
export function lookAlikeProblem (name: string): string | undefined {
  if (INVISIBLE.test(name)) return 'must not contain invisible characters'
  if (name.normalize('NFKC') !== name.normalize('NFC')) return 'must be written in ordinary letters'
  const isMixed = name.split(/\P{L}+/u).some(word => SCRIPTS.filter(script => script.test(word)).length > 1)
  return isMixed ? 'must not mix letters of several scripts in one word' : undefined
}
