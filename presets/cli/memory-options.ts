/** Of the allocator (glibc), as in the unit and the container. docs/decisions/014 tells what each is for. */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072'
} as const

/** Of Node. */
export const ENGINE = ['--max-semi-space-size=4', '--v8-pool-size=1', '--initial-old-space-size=96',
  '--max-old-space-size=1024'] as const

/** The commands that run for months. */
const SERVICES = new Set(['daemon', 'app', 'demo'])

/** The inputs of the decision; `process` has all of them. */
export interface Start {
  readonly platform: NodeJS.Platform
  /** From Node itself on. */
  readonly argv: readonly string[]
  readonly execArgv: readonly string[]
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  /** Node 22.15 and later, not on Windows. */
  readonly execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => void
}

const nameOf = (option: string): string => option.split('=', 1)[0] ?? ''

/**
 * Starts a service anew as the same process with these settings: the allocator reads its own only at the start. It
 * costs as long as Node takes to start. Whoever sets one of the allocator's keeps what they have, and so does a
 * machine whose Node or system cannot do it.
 * @param program the file to start
 */
export function applyMemoryOptions (program: string, start: Start = process): void {
  const { platform, argv, execArgv, execPath, env, execve } = start
  const [, , command = ''] = argv
  const isSet = Object.keys(ALLOCATOR).some(name => env[name] !== undefined)
  if (platform !== 'linux' || execve === undefined || isSet || !SERVICES.has(command)) return
  const given = new Set([...execArgv, ...(env.NODE_OPTIONS ?? '').split(/\s+/)].map(nameOf))
  const options = ENGINE.filter(option => !given.has(nameOf(option)))
  try {
    execve(execPath, [execPath, ...execArgv, ...options, program, ...argv.slice(2)], { ...env, ...ALLOCATOR })
  } catch {
    // The service runs without them too; it only takes more memory.
  }
}
