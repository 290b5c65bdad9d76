import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

// Programs that some tests talk to are looked up on the PATH and nowhere else, so that a run with a bare PATH shows
// what happens on a machine without them.

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Every program of this name on the PATH, in its order. */
export const programsNamed = (name: string): string[] =>
  (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '')
    .map(folder => join(folder, name)).filter(isExecutable)

/** The first of these names that is on the PATH. */
export const findProgram = (...names: string[]): string | undefined => names.flatMap(programsNamed)[0]

/** A Python on the PATH that runs this: machines often have several, and only one of them has the modules. */
export const pythonThatRuns = (probe: string): string | undefined => programsNamed('python3').find(program => {
  try {
    execFileSync(program, ['-c', probe], { stdio: 'ignore', timeout: 20_000 })
    return true
  } catch {
    return false
  }
})
