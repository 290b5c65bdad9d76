import { defineMigration } from '../database/index.js'

/** Never changed after a release: what is new is a further step. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'messages and what became of them',
    async up (db) {
      await db.schema.createTable('notify_messages')
        .addColumn('id', 'text', column => column.primaryKey())
        .addColumn('created_at', 'bigint', column => column.notNull())
        .addColumn('target', 'text', column => column.notNull())
        .addColumn('printer', 'text', column => column.notNull())
        .addColumn('alert', 'text', column => column.notNull())
        .addColumn('severity', 'text', column => column.notNull())
        .addColumn('at', 'text', column => column.notNull())
        .addColumn('title', 'text', column => column.notNull())
        .addColumn('text', 'text', column => column.notNull())
        .addColumn('payload', 'text', column => column.notNull())
        .addColumn('attachment', 'text', column => column.notNull())
        .addColumn('status', 'text', column => column.notNull())
        .addColumn('attempts', 'integer', column => column.notNull())
        .addColumn('due_at', 'bigint', column => column.notNull())
        .addColumn('give_up_at', 'bigint', column => column.notNull())
        .addColumn('ended_at', 'bigint')
        .addColumn('problem', 'text')
        .execute()
      await db.schema.createIndex('notify_messages_time').on('notify_messages').columns(['created_at', 'id']).execute()
      await db.schema.createIndex('notify_messages_status').on('notify_messages').columns(['status', 'created_at'])
        .execute()
    },
    async down (db) {
      await db.schema.dropTable('notify_messages').execute()
    }
  })
]
