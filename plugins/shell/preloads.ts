import { readFileSync } from 'node:fs'
import type { PageFiles } from '../http/index.js'

const IMPORT = /\b(?:from|import)\s*'\.\/([\w.-]+\.js)'/g

/** The modules that a script needs before it runs, itself left out. */
export function preloadsOf ({ paths }: PageFiles, script: string): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const path = paths.get(name)
    if (path === undefined || found.has(name)) return
    found.add(name)
    for (const [, next = ''] of readFileSync(path, 'utf8').matchAll(IMPORT)) visit(next)
  }
  visit(script)
  found.delete(script)
  return [...found]
}
