// What earlier runs saw of each file of tests: how long it took, and whether it may depend on programs of the machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileOf = root => join(root, 'node_modules', '.cache', 'prnd-tests.json')

function read (root) {
  try {
    return JSON.parse(readFileSync(fileOf(root), 'utf8'))
  } catch {
    return {}
  }
}

export function openRecord (root) {
  const files = read(root)
  const msOf = name => files[name]?.ms ?? Infinity
  return {
    /** Longest first, so that none of them is left when all others are done; those that nobody knows before them. */
    longestFirst: names => [...names].sort((a, b) => msOf(a) === msOf(b) ? 0 : msOf(b) - msOf(a)),
    mayUsePrograms: name => files[name]?.programs !== false,
    /** A file that failed may have ended early: it is known by the time that it took before. */
    note ({ name, ms, programs, failed = 0 }) { files[name] = { ms: failed > 0 ? files[name]?.ms : ms, programs } },
    save () { writeFileSync(fileOf(root), JSON.stringify(files)) }
  }
}
