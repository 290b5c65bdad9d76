import { NoPrinter, NotConnected } from '../errors.js'
import { rightsOf, sees } from './access.js'
import { whyAbsent } from './choose-printer.js'
import type { PrinterRegistry } from './registry.js'
import type { Caller, Kernel } from './types.js'

/** Only callers with all printers may add, remove or restrict sessions. */
const refuse = (name: string): never => { throw new NotConnected(name) }

/** The printers of a caller: others are not listed, and respond as if they did not exist. */
function restrict (registry: PrinterRegistry, isSeen: (name: string) => boolean): PrinterRegistry {
  const names = () => registry.names.filter(isSeen)
  const sessions = () => registry.sessions.filter(({ name }) => isSeen(name))
  const seen = (name: string): string => isSeen(name) ? name : refuse(name)

  function choose (name?: string): ReturnType<PrinterRegistry['choose']> {
    const chosen = registry.choose(name)
    if (chosen.source === 'explicit' || chosen.printer === undefined || isSeen(chosen.printer)) return chosen
    const connected = sessions().find(({ service }) => service === 'CONNECTED')
    if (connected) return { printer: connected.name, source: 'first_connected' }
    return { printer: sessions()[0]?.name, source: 'none' }
  }

  return {
    get names () { return names() },
    get sessions () { return sessions() },
    get: name => isSeen(name) ? registry.get(name) : undefined,
    config: name => isSeen(name) ? registry.config(name) : undefined,
    choose,
    resolve (name) {
      const { printer } = choose(name)
      if (printer === undefined && names().length === 0) throw new NoPrinter()
      const session = printer !== undefined && isSeen(printer) ? registry.get(printer) : undefined
      if (!session) throw new NotConnected(printer ?? 'default').with({ detail: whyAbsent(printer, names()) })
      return session
    },
    add: async ({ name }) => refuse(name),
    adopt: async ({ name }) => refuse(name),
    admitOnly: () => refuse(''),
    renameDefault: () => refuse(''),
    holderOf: name => isSeen(name) ? registry.holderOf(name) : undefined,
    get others () { return registry.others }, // operations that ask them require access to all printers
    askOthers: () => refuse(''),
    checkAdmitted: name => registry.checkAdmitted(seen(name)),
    remove: async name => await registry.remove(seen(name)),
    connect: async name => await registry.connect(seen(name)),
    disconnect: async name => await registry.disconnect(seen(name)),
    each: follow => registry.each(session => isSeen(session.name) ? follow(session) : undefined),
    eachLocal: follow => registry.eachLocal(session => isSeen(session.name) ? follow(session) : undefined)
  }
}

/** The kernel as a caller may see it, with the caller's printers only. */
export function viewFor (kernel: Kernel, caller: Caller | undefined): Kernel {
  if (rightsOf(caller)?.printers === undefined) return kernel
  const printers = restrict(kernel.printers, name => sees(caller, name))
  return Object.create(kernel, { printers: { value: printers, enumerable: true } }) as Kernel
}
