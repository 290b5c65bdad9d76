import { Type } from 'typebox'
import { definePlugin, route, type OperationDone } from '../../core/index.js'
import { entryOf, loginEntry } from './entry.js'
import { listEntries, prune } from './operations.js'
import { migrations, type AuditRow, type Tables } from './tables.js'

export type { AuditRow } from './tables.js'

declare module 'prnd' {
  interface Services {
    audit: {
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

const MS_PER_DAY = 86_400_000
/** Old and surplus entries are removed each time this many were added. */
const PRUNE_AFTER = 1_000
/** Outcome until it has ended. */
const BEGUN = 'begun'

const Options = Type.Object({
  keepDays: Type.Integer({ minimum: 1, maximum: 36_500, default: 365, description: 'How long entries are kept' }),
  mostEntries: Type.Integer({
    minimum: 1_000, maximum: 10_000_000, default: 200_000, description: 'With more, the oldest are removed'
  })
})

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
  contributes: { migrations, routes: [route(listEntries, { method: 'GET', path: '/audit', tag: 'People' })] },
  setup ({ kernel, log, events, options: { keepDays, mostEntries }, services: { database }, provide }) {
    const { now, redact } = kernel
    let count = 0

    const redacted = ({ who, detail, ...row }: AuditRow): AuditRow =>
      ({ ...row, who: redact(who), detail: detail === null ? null : redact(detail) })

    function put (row: AuditRow): void {
      database.put({ table: 'audit_entries', values: { ...redacted(row) } })
      if (count++ % PRUNE_AFTER !== 0) return
      database.query(db => prune(db as never, now() - keepDays * MS_PER_DAY, mostEntries))
        .catch((error: Error) => log.warn({ err: error }, 'old entries cannot be removed'))
    }

    provide('audit', {
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
