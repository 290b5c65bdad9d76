/** Settings of glibc's allocator, as for an installed service and in the container; explained in docs/decisions/014. */
export const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072'
} as const

/** Settings of Node. */
export const ENGINE = ['--max-semi-space-size=4', '--v8-pool-size=1', '--initial-old-space-size=96',
  '--max-old-space-size=1024'] as const

/** The commands that run permanently. */
const SERVICES = new Set(['daemon', 'app', 'demo'])

/** The inputs of the decision, all of which `process` has. */
export interface Start {
  readonly platform: NodeJS.Platform
  /** Including Node itself. */
  readonly argv: readonly string[]
  readonly execArgv: readonly string[]
  readonly execPath: string
  readonly env: NodeJS.ProcessEnv
  /** Node 22.15 and later, not on Windows. */
  readonly execve?: (file: string, args: readonly string[], env: NodeJS.ProcessEnv) => void
}

const nameOf = (option: string): string => option.split('=', 1)[0] ?? ''

/**
 * Restarts a service in the same process with these settings: the allocator reads its own only at the start. This costs
 * the time that Node takes to start. Existing allocator settings are respected, and systems without support are left
 * unchanged.
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
    // The service works without them; it only uses more memory.
  }
}
