/** Letters as outlines. */
export interface Letters {
  /** To be called before texts are measured or drawn. @returns letters that no font has */
  prepare (texts: Iterable<string>): Promise<string[]>
  /** Width at size 1. */
  widthOf (text: string): number
  /** An SVG path, mm. @param y of the line that the letters stand on */
  outline (text: string, x: number, y: number, size: number): string
}
