import { createTable, defineMigration } from '../database/index.js'

/** Released steps never change; add a new step instead. */
export const migrations = [
  defineMigration({
    number: 1,
    name: 'messages and what became of them',
    async up (db) {
      await createTable(db, 'notify_messages', {
        created_at: 'bigint',
        target: 'text',
        printer: 'text',
        alert: 'text',
        severity: 'text',
        at: 'text',
        title: 'text',
        text: 'text',
        payload: 'text',
        attachment: 'text',
        status: 'text',
        attempts: 'integer',
        due_at: 'bigint',
        give_up_at: 'bigint',
        'ended_at?': 'bigint',
        'problem?': 'text'
      })
      await db.schema.createIndex('notify_messages_time').on('notify_messages').columns(['created_at', 'id']).execute()
      await db.schema.createIndex('notify_messages_status').on('notify_messages').columns(['status', 'created_at'])
        .execute()
    },
    async down (db) {
      await db.schema.dropTable('notify_messages').execute()
    }
  }),
  defineMigration({
    number: 2,
    name: 'which service sends a message',
    async up (db) { await db.schema.alterTable('notify_messages').addColumn('service', 'text').execute() },
    async down (db) { await db.schema.alterTable('notify_messages').dropColumn('service').execute() }
  })
]
