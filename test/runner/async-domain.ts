// Tells the test library to which test an error belongs that nobody caught. In the bundle this stands for the package
// async-hook-domain, which does the same with a table of everything that waits: for that the engine has to tell of the
// end of every promise, which took some 5 % of the processor time of a run.
import { createHook, executionAsyncResource } from 'node:async_hooks'

type OnError = (error: unknown, event?: string) => void
const owner = Symbol('domain')
/** Whatever waits for something: a promise, a timer, a socket. */
interface Resource { [owner]?: Domain | undefined }
/** A connection comes while nothing runs: it belongs to whoever made its server. */
const servers = new Map<number, Domain>()

const hook = createHook({
  init (id, type, triggerId, resource: Resource) {
    const domain = living((executionAsyncResource() as Resource)[owner] ?? servers.get(triggerId))
    if (domain === undefined) return
    resource[owner] = domain
    if (type.endsWith('SERVERWRAP')) servers.set(id, domain)
  }
})

/** What belonged to one that has ended belongs to the one around it. */
function living (domain: Domain | undefined): Domain | undefined {
  while (domain?.destroyed === true) domain = domain.parent
  return domain
}

/** @returns whether a domain took it */
function take (error: unknown, event?: string): boolean {
  if (process.hasUncaughtExceptionCaptureCallback() || process.listenerCount('uncaughtException') > 0) return false
  const domain = living((executionAsyncResource() as Resource)[owner])
  if (domain === undefined) return false
  try {
    domain.onerror(error, event)
    return true
  } catch (worse) {
    domain.destroy()
    if (take(worse)) return true
    throw worse
  }
}

/** The process goes on after this one. */
function takeException (error: unknown, event: string): void {
  if (!take(error, event)) return
  process.setUncaughtExceptionCaptureCallback(() => process.setUncaughtExceptionCaptureCallback(null))
}

let active = false
function activate (): void {
  if (active) return
  active = true
  hook.enable()
  process.on('uncaughtExceptionMonitor', takeException)
  const emit = process.emit as (event: string, ...rest: unknown[]) => boolean
  // A listener would be the end of the matter also for rejections that no test made.
  process.emit = ((event: string, ...rest: unknown[]) =>
    event === 'unhandledRejection' && process.listenerCount(event) === 0
      ? take(rest[0], event)
      : emit.call(process, event, ...rest)) as typeof process.emit
}

/** What begins from now on, and what follows from it, until another one is made there. */
export class Domain {
  readonly onerror: OnError
  readonly parent: Domain | undefined
  destroyed = false

  constructor (onerror: OnError) {
    const here = executionAsyncResource() as Resource
    this.onerror = onerror
    this.parent = living(here[owner])
    here[owner] = this
    activate()
  }

  destroy (): void { this.destroyed = true }
}
