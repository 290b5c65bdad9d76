import { definePlugin, route, type OperationDone } from '../../core/index.js'
import { entryOf, loginEntry } from './entry.js'
import { createKeeping, keeping as keepingOf, Options, prune, type Keeping } from './keeping.js'
import { listEntries } from './operations.js'
import { migrations, type AuditRow, type Tables } from './tables.js'
import { BEGUN } from './words.js'

export type { AuditRow } from './tables.js'
export { entryWording, operationInWords } from './words.js'

declare module 'prnd' {
  interface Services {
    audit: {
      readonly keeping: Keeping
      /** Acts of these surfaces between two times, ms since the epoch, oldest first. */
      actsOf (faces: readonly string[], from: number, until: number, most: number): Promise<AuditRow[]>
      /**
       * Stores that something is about to be done without a person, so that it has its reason even if the service is
       * killed meanwhile.
       * @returns the id of the entry, which `recorded` completes
       * @throws PRN_ERR_DATABASE_UNAVAILABLE
       */
      begin (act: Pick<OperationDone, 'operation' | 'printer' | 'surface' | 'note'>): Promise<string>
    }
  }
}

/** Old and surplus entries are removed each time this many were added, and at intervals. */
const PRUNE_AFTER = 1_000
const PRUNE_MS = 3_600_000
const tag = 'People'

/** An audit log: all operations on a printer, changes of the service, and logins. Written in the background. */
export default definePlugin({
  name: 'audit',
  version: '2.0.0',
  kernel: '^2.0.0',
  description: 'Audit log of actions and logins: /api/audit',
  needs: ['database', 'http'],
  provides: ['audit'],
  uses: ['disk'],
  options: Options,
  contributes: {
    migrations,
    routes: [
      route(listEntries, { method: 'GET', path: '/audit', tag }),
      route(keepingOf.read, { method: 'GET', path: '/audit/keeping', tag }),
      route(keepingOf.try, { method: 'GET', path: '/audit/keeping/effect', tag }),
      route(keepingOf.change, { method: 'PATCH', path: '/audit/keeping', tag })
    ]
  },
  setup ({ kernel, log, events, options, services: { database }, provide, onClose }) {
    const { now, redact } = kernel
    const keeping = createKeeping(database, now, options)
    let count = 0
    const tidy = () => {
      keeping.read().then(limits => database.query(db => prune(db as never, limits, now())))
        .catch((error: Error) => log.warn({ err: error }, 'old entries cannot be removed'))
    }
    const timer = setInterval(tidy, PRUNE_MS).unref()
    onClose(() => clearInterval(timer))

    const redacted = ({ who, detail, ...row }: AuditRow): AuditRow =>
      ({ ...row, who: redact(who), detail: detail === null ? null : redact(detail) })

    function put (row: AuditRow): void {
      database.put({ table: 'audit_entries', values: { ...redacted(row) } })
      if (count++ % PRUNE_AFTER === 0) tidy()
    }

    provide('audit', {
      keeping,
      actsOf: (faces, from, until, most) => database.query<Tables, AuditRow[]>(db =>
        db.selectFrom('audit_entries').selectAll().where('face', 'in', faces)
          .where('at', '>=', from).where('at', '<', until).orderBy('id').limit(most).execute()),
      async begin (act) {
        const at = now()
        const row = { ...entryOf({ ...act, caller: undefined, calledAt: at }, at), outcome: BEGUN }
        await database.query<Tables, unknown>(db => db.insertInto('audit_entries').values(redacted(row)).execute())
        return row.id
      }
    })
    events.on('operation:done', done => put(entryOf(done, now())))
    events.on('operation:failed', (failed, error) => put(entryOf(failed, now(), error)))
    events.on('people:login', login => put(loginEntry(login, now())))
    events.on('http:login', login => put(loginEntry(login, now())))
  }
})
